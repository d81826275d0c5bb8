import type { Command, Outcome, PersonCommand, PersonOutcome } from '../commands/registry.ts';
import type { BookkeepingRecord, RecordOutcome } from '../domain/bookkeeping/record.ts';
import type { SettledUsage } from '../domain/metering.ts';
import type { ArrivedReport, UsageVerdict } from '../domain/usage.ts';
import type { HoldingReads } from './tables/accounts/holdings.ts';
import type { ResellerReads } from './tables/accounts/reads.ts';
import type { RefusedReads } from './tables/accounts/refused.ts';
import type { ResellerListReads } from './tables/accounts/resellers.ts';
import type { SearchReads } from './tables/accounts/search.ts';
import type { SubUserReads } from './tables/accounts/sub-users.ts';
import type { TermsReads } from './tables/accounts/terms-reads.ts';
import type { BrandReads } from './tables/brand/brand.ts';
import type { ActReads } from './tables/changes/acts.ts';
import type { EdgeReads } from './tables/edges/edges.ts';
import type { EventReads } from './tables/events/events.ts';
import type { JudgingReads } from './tables/events/judged.ts';
import type { MovementReads } from './tables/ledger/movements.ts';
import type { ReferenceReads } from './tables/ledger/references.ts';
import type { RequestReads } from './tables/ledger/requests.ts';
import type { LedgerSearchReads } from './tables/ledger/search.ts';
import type { LedgerSumReads } from './tables/ledger/sums.ts';
import type { TopUpReads } from './tables/ledger/top-ups.ts';
import type { LedgerReads, VerificationReads } from './tables/ledger/verifications.ts';
import type { MailReads } from './tables/mail/reads.ts';
import type { FirstStepsReads } from './tables/meta/first-steps.ts';
import type { StateReads } from './tables/meta/state.ts';
import type { MeteringReads } from './tables/meters/reads.ts';
import type { PaymentReads } from './tables/payments/reads.ts';
import type { PeopleListReads } from './tables/people/lists.ts';
import type { DashboardReads } from './tables/people/reads.ts';
import type { RefusalReads } from './tables/refusals/reads.ts';
import type { SignInReads } from './tables/sign-in/reads.ts';
import type { OperatorTokenReads } from './tables/tokens/operator-tokens.ts';
import type { CredentialReads } from './tables/tokens/tokens.ts';
import type { BandwidthReads } from './tables/usage/bandwidth.ts';
import type { UsageReads } from './tables/usage/reads.ts';
import type { WebhookReads } from './tables/webhooks/reads.ts';

/**
 * The interface that each engine implements. An engine loads what a batch needs, has `domain/` decide the batch, and
 * writes the changes. It knows no rule.
 *
 * What every engine promises:
 * - A batch is one transaction. Until it is committed, no other batch and no other process can change what it loaded,
 *   or take a username that it found free. If an engine cannot prevent that, it runs the batch again.
 * - A batch answers `committed` only when it is durable. Every read that begins after that answer sees it, in every
 *   process.
 * - A read sees all of a committed batch or nothing of it, and never waits for a batch.
 */
export interface Store extends StoreReads, Writer {
	/** The migrations that opening the store applied. */
	readonly appliedMigrations: readonly string[];
	/** Resolves, with the cause, when the store can never write again. The service must then stop. */
	readonly lost: Promise<unknown>;
	/**
	 * Resolves, with a sentence, when a newer version has migrated the store. This process can go on, unless `lost`
	 * resolves. Checked whenever the credentials version is read.
	 */
	readonly outgrown: Promise<string>;
	/** How long a command may wait before it starts, in milliseconds, so that it has its answer within five seconds. */
	readonly maxWaitMs: number;
	/** How many batches of commands may run at once, besides one with commands that were held, and how many of usage. */
	readonly batchesAtOnce: number;
	/** The time in Unix milliseconds. All processes of a store share one clock. */
	nowMs(): number;
	/** A key of 32 bytes for one purpose, derived from the master key: the same in all processes of a store. */
	deriveKey(purpose: string): Uint8Array;
	/**
	 * Writes a consistent copy of everything to a file that does not exist yet, while the service runs. The calling
	 * thread waits for it. Only the embedded engine can.
	 */
	readonly backup?: (file: string) => Promise<void>;
	/** How the store is connected to its database. Only PostgreSQL has connections. */
	readonly databaseState?: () => DatabaseState;
	/** Waits for the running batch, then closes everything. */
	close(): Promise<void>;
}

/** All that is read from a store. */
export interface StoreReads
	extends ResellerReads,
		CredentialReads,
		DashboardReads,
		EdgeReads,
		EventReads,
		JudgingReads,
		ActReads,
		BandwidthReads,
		BrandReads,
		HoldingReads,
		LedgerReads,
		LedgerSearchReads,
		LedgerSumReads,
		TermsReads,
		MailReads,
		MeteringReads,
		MovementReads,
		OperatorTokenReads,
		TopUpReads,
		PaymentReads,
		ReferenceReads,
		PeopleListReads,
		RefusalReads,
		RequestReads,
		RefusedReads,
		ResellerListReads,
		SearchReads,
		SignInReads,
		StateReads,
		FirstStepsReads,
		SubUserReads,
		UsageReads,
		VerificationReads,
		WebhookReads {}

/** The connections of this process to the database. */
export interface DatabaseState {
	/** Each host of the URL, with its port. */
	readonly hosts: readonly string[];
	/** The one that is taken for the primary. */
	readonly primary: string;
	readonly pools: readonly PoolState[];
}

/** How many connections of a pool are used, are idle, and could still be opened, and how many uses wait for one. */
export interface PoolState {
	readonly pool: string;
	readonly used: number;
	readonly idle: number;
	readonly free: number;
	readonly waiting: number;
}

/** How a store is opened. The engine on PostgreSQL knows only `mayMigrate`. */
export interface StoreOpening {
	/** Whether a new store is made if there is none. */
	readonly mayCreate?: boolean;
	/** Whether a store of an older version is migrated. By default it is. A new store is always made whole. */
	readonly mayMigrate?: boolean;
	/** Whether a service serves the store, as the only one. Commands may use it beside the service. */
	readonly serves?: boolean;
}

export interface Writer {
	/**
	 * Resolves when writes can be taken. Without it, the first write waits for that: on a busy machine so long that its outcome
	 * counts as unknown. A store that takes writes from the start has none.
	 */
	readonly startWriting?: () => Promise<void>;
	/**
	 * Runs a batch of commands in order. Never throws: the answer reports failures. The engine may call `begun` before
	 * it answers. A batch that is run from then on comes after this one, unless this one has to be run again.
	 */
	runCommands(commands: readonly Command[], nowMs: number, begun?: () => void): Promise<BatchAnswer<Outcome>>;
	/** Runs a batch of commands about people in order, as one transaction. Never throws: the answer reports failures. */
	runPersonCommands(commands: readonly PersonCommand[], nowMs: number): Promise<BatchAnswer<PersonOutcome>>;
	/** Counts a batch of usage reports. Never throws: the answer reports failures. */
	recordUsage(reports: readonly ArrivedReport[], nowMs: number): Promise<BatchAnswer<UsageVerdict>>;
	/**
	 * Writes records of bookkeeping, in one transaction that locks nothing but their rows. Never throws: the answer reports
	 * failures. If another transaction holds the row of a record, its outcome is `not_done`.
	 */
	writeRecords(records: readonly BookkeepingRecord[], nowMs: number): Promise<BatchAnswer<RecordOutcome>>;
}

/** How a batch ended. */
export type BatchAnswer<Result> =
	| Committed<Result>
	/** Another writer holds what it needs. Nothing happened, and it can be tried again at once. */
	| { readonly kind: 'busy' }
	/** Nothing of it happened, certainly. With `isDefect`, to try again does not help. */
	| { readonly kind: 'not_done'; readonly cause: unknown; readonly isDefect?: boolean }
	/** The commit was sent, and its result could not be learned. */
	| { readonly kind: 'outcome_unknown'; readonly cause: unknown };

/** The batch is durable. */
export interface Committed<Result> {
	readonly kind: 'committed';
	readonly results: readonly Result[];
	/** The causes of the commands that failed alone. */
	readonly faults: readonly unknown[];
	/** Of commands about accounts: the bandwidth that they settled. */
	readonly settled?: readonly SettledUsage[];
	/** Of usage reports: the accounts whose bandwidth was counted, and those of them whose bandwidth costs more now. */
	readonly used?: readonly string[];
	readonly metered?: readonly string[];
	/**
	 * The indexes of commands that were not run, because another transaction holds what they need. Their result is
	 * `not_done`, and they can be tried again.
	 */
	readonly held?: ReadonlySet<number>;
}

/** Thrown if a store was sealed under another master key. */
export class WrongMasterKeyError extends Error {
	override readonly name = 'WrongMasterKeyError';
}
