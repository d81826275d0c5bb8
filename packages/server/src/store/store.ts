import type { Command, Outcome } from '../domain/command.ts';
import type { UsageReport, UsageVerdict } from '../domain/usage.ts';
import type { CredentialReads } from './credential-reads.ts';
import type { OperatorReads } from './operator-reads.ts';
import type { ResellerReads } from './reseller-reads.ts';

/**
 * Where the books are kept. An engine loads what a batch needs, has `domain/` decide it, and writes
 * what was decided; it knows no rule of its own.
 *
 * What every engine promises:
 * - A batch is one transaction. From before it is loaded until it has been committed, nothing else
 *   can change what it loaded, or take a username that it found free: no other batch of this process,
 *   and no other process. Where an engine cannot keep others out, it runs the batch again after them.
 * - A batch answers `committed` only when it is durable, and every read that begins after that answer
 *   sees it, in every process.
 * - A read sees committed batches whole or not at all, and never waits for a batch.
 */
export interface Store extends ResellerReads, CredentialReads, OperatorReads, Writer {
	/** The migrations that opening the store applied. */
	readonly appliedMigrations: readonly string[];
	/** Resolves, with the cause, when the store can never write again: whoever serves with it must stop. */
	readonly lost: Promise<unknown>;
	/**
	 * Resolves, with a sentence, when a newer version is seen to have migrated the store. This one can go on with it,
	 * unless `lost` resolves. It is looked for with the credentials version.
	 */
	readonly outgrown: Promise<string>;
	/**
	 * How long a command may wait to be begun, in milliseconds, so that it is answered within five seconds
	 * whatever becomes of its batch.
	 */
	readonly maxWaitMs: number;
	/** How many batches of commands may be under way at once, beside one with what was held. */
	readonly batchesAtOnce: number;
	/** The time that everything under this store goes by, in Unix milliseconds: all its processes share one clock. */
	nowMs(): number;
	/**
	 * Writes a consistent copy of everything to a file that does not exist yet, beside a busy server. Only the embedded
	 * engine can.
	 */
	readonly backup?: (file: string) => Promise<void>;
	/** Waits for the batch under way, then lets go of everything. */
	close(): Promise<void>;
}

export interface Writer {
	/**
	 * Runs a batch of commands in order. Never throws: what can go wrong is in the answer. `begun` may be called
	 * before that: a batch that is run from then on comes behind this one, unless this one has to be run again.
	 */
	runCommands(commands: readonly Command[], nowMs: number, begun?: () => void): Promise<BatchAnswer<Outcome>>;
	/** Counts a batch of usage reports. Never throws: what can go wrong is in the answer. */
	recordUsage(reports: readonly UsageReport[], nowMs: number): Promise<BatchAnswer<UsageVerdict>>;
}

/** What became of a batch. */
export type BatchAnswer<Result> =
	| Committed<Result>
	/** Somebody else was writing: it was not begun, and can be tried again at once. */
	| { readonly kind: 'busy' }
	/** Certainly nothing of it was done. */
	| { readonly kind: 'not_done'; readonly cause: unknown }
	/** Its commit was sent, and what became of it could not be learned. */
	| { readonly kind: 'outcome_unknown'; readonly cause: unknown };

/** The batch is durable. */
export interface Committed<Result> {
	readonly kind: 'committed';
	readonly results: readonly Result[];
	/** What commands threw that failed alone. */
	readonly faults: readonly unknown[];
	/**
	 * The places of commands that were not run, since another transaction holds what they need. Their result says
	 * `not_done`, and they can be tried again.
	 */
	readonly held?: ReadonlySet<number>;
}

/** The store could not be asked; nothing was done. */
export class StoreUnavailableError extends Error {
	override readonly name = 'StoreUnavailableError';
}
