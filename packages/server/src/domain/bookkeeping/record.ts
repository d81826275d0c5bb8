import { MAX_REFUSED_CLIENTS } from '@bursar/contract/edge-limits';
import { MAX_CONNECTIONS } from '@bursar/contract/limits';
import type { PaymentProviderName } from '@bursar/contract/payments';
import type { RefusedOnEdge } from '../account-refusals.ts';
import type { WebhookRecord } from '../webhooks/record.ts';

/**
 * Bookkeeping: when something was last used, what an edge did, how far a verification is. The service records it by
 * itself, and no answer depends on it. So a record is decided without reading anything else. Records may be written in any
 * order: times only grow, counts are added up, and a record about something that has ended changes nothing. Only the number
 * of open connections of an edge replaces the previous one, and what is said of a webhook counts only if it is where its
 * process has left it.
 */
export type BookkeepingRecord =
	| TokenUse
	| SessionUse
	| EdgeUse
	| OpenOnEdge
	| OpenInProcessOfEdge
	| RefusedRecord
	| VerificationProgress
	| BackupMade
	| WriteCheck
	| PublicUrl
	| MailSetup
	| PaymentsSwept
	| WebhookRecord;

/** When a token was last used. */
export interface TokenUse {
	/** Of a reseller, or of a program of the operator. */
	readonly kind: 'token_use' | 'operator_token_use';
	readonly hash: string;
	/** Unix milliseconds. */
	readonly usedAtMs: number;
}

/** When a session of a person was last used. */
export interface SessionUse {
	readonly kind: 'session_use';
	readonly hash: string;
	/** Unix milliseconds. */
	readonly usedAtMs: number;
}

/** What an edge did in one process since the last record. */
export interface EdgeUse {
	readonly kind: 'edge_use';
	readonly name: string;
	/** When it last asked or reported anything, in Unix milliseconds. */
	readonly seenAtMs: number;
	readonly checks: number;
	readonly refusals: number;
}

/**
 * How many connections of an account an edge has open that does not name its processes. It is recorded only for accounts with
 * a limit of connections.
 */
export interface OpenOnEdge {
	readonly kind: 'open_on_edge';
	readonly edge: string;
	readonly username: string;
	readonly open: number;
}

/** The same of one process of an edge. */
export interface OpenInProcessOfEdge extends Omit<OpenOnEdge, 'kind'> {
	readonly kind: 'open_in_process';
	readonly process: string;
}

/** What an edge refused since its last record. Only accounts that exist have one. */
export interface RefusedRecord extends RefusedOnEdge {
	readonly kind: 'refused_on_edge';
}

/** How far a verification of the ledger is, or its end. */
export interface VerificationProgress {
	readonly kind: 'verification_progress';
	readonly id: string;
	readonly done: number;
	readonly steps: number;
	/** Absent while it runs. `null` if it could not be finished. JSON as in `StoredVerification`. */
	readonly result?: string | null | undefined;
}

/** When the operator's command made a backup of an embedded store. */
export interface BackupMade {
	readonly kind: 'backup_made';
	/** When the backup was begun, in Unix milliseconds: it has everything from before. */
	readonly beganAtMs: number;
}

/** At which origin people open the dashboard. */
export interface PublicUrl {
	readonly kind: 'public_url';
	readonly url: string;
}

/** Whether the service sends mail. Notices are written only then. */
interface MailSetup {
	readonly kind: 'mail_setup';
	readonly isOn: boolean;
}

/** Until when it was listed what had changed at a payment provider. */
interface PaymentsSwept {
	readonly kind: 'payments_swept';
	readonly provider: PaymentProviderName;
	/** Unix milliseconds. */
	readonly toMs: number;
}

/** Shows whether the store can be written. */
interface WriteCheck {
	readonly kind: 'write_check';
}

/** `not_done`: it was not written, and can be written later. */
export type RecordOutcome =
	| { readonly ok: true }
	| { readonly ok: false; readonly error: 'rules_failed' | 'not_done' | 'outcome_unknown' };

/**
 * The most steps of a verification, and the longest result, in characters: 100 problems of 600 characters fit.
 * @bound Steps of a verification that are recorded: a record with more is a fault.
 */
const MAX_STEPS = 1_000_000;
/** @bound Characters of the result of a verification: a longer one is a fault. */
const MAX_RESULT = 100_000;
/**
 * The longest origin, in characters: a host name has 253 at most.
 * @bound Characters of an origin at which the service was seen: a longer one is a fault.
 */
const MAX_URL = 300;

/** Returns the record as it is written at this time, in Unix milliseconds. Throws if the record is impossible. */
export function decideRecord(record: BookkeepingRecord, nowMs: number): BookkeepingRecord {
	switch (record.kind) {
		case 'token_use':
		case 'operator_token_use':
			assertCounts([record.usedAtMs]);
			return record;
		case 'session_use':
			assertCounts([record.usedAtMs]);
			// A use from the future would let the session live longer than its idle time.
			return { ...record, usedAtMs: Math.min(record.usedAtMs, nowMs) };
		case 'edge_use':
			assertCounts([record.seenAtMs, record.checks, record.refusals]);
			return record;
		case 'open_on_edge':
		case 'open_in_process':
			assertCounts([record.open], MAX_CONNECTIONS);
			return record;
		case 'refused_on_edge':
			assertCounts([record.count], MAX_REFUSED_CLIENTS);
			assertCounts([record.atMs]);
			return record;
		case 'payments_swept':
			assertCounts([record.toMs]);
			return record;
		case 'backup_made':
			assertCounts([record.beganAtMs]);
			return record;
		case 'write_check':
		case 'mail_setup':
		case 'webhook_lease':
		case 'webhook_release':
		case 'webhook_pass':
		case 'webhook_try':
			return record;
		case 'public_url':
			if (record.url === '' || record.url.length > MAX_URL) throw new Error('an origin is empty or too long');
			return record;
		case 'verification_progress':
			assertCounts([record.done, record.steps], MAX_STEPS);
			if ((record.result?.length ?? 0) > MAX_RESULT) throw new Error('the result of a verification is too long');
			return record;
	}
}

function assertCounts(numbers: readonly number[], most = Number.MAX_SAFE_INTEGER): void {
	const isCount = (number: number) => Number.isSafeInteger(number) && number >= 0 && number <= most;
	if (!numbers.every(isCount)) throw new Error('a record has a number that is no count');
}
