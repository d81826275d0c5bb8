import { CREATE_FEE_CENTS, type FeeRange, type UnknownOutcome } from '@bursar/client';
import type { FeeFields } from '../../output/fields.ts';
import type { CallPatience } from '../../session.ts';
import { type Change, NO_FEE } from '../changes.ts';
import type { InputLine } from '../input/read-input.ts';

/**
 * A journal entry for a line: `begun` before its request is sent, the others once its outcome is known. A line that is begun
 * and not ended is in doubt: a run was killed, or could not find out.
 */
export type JournalEntry =
	| {
			readonly line: number;
			readonly state: 'begun';
			/** By the service's clock. The clock of this machine decides nothing. */
			readonly at: string;
			/** When the last request of this call has expired, in Unix seconds of the service's clock. */
			readonly expires: number;
			/** The id of the change. All requests for this line carry it until its outcome is known. */
			readonly change_id: string;
			/** The content of the line, because the file may change. */
			readonly username: string;
			readonly amount_usd_cents?: number;
			readonly reference?: string;
			/** The service itself could not learn the outcome: the change may take effect at any time. */
			readonly may_happen_later?: boolean;
	  }
	| {
			readonly line: number;
			readonly state: 'done' | 'not_done';
			/** The code of the failure. */
			readonly code?: string;
			/** What was paid for the line since it was begun. */
			readonly fee?: FeeFields;
	  };

/** What the journal tells about a line. */
export interface LineHistory {
	readonly state: 'not_begun' | JournalEntry['state'];
	readonly code?: string | undefined;
	/** What was last begun. */
	readonly begun?: BegunChange | undefined;
	/** What all runs have paid for the line, without what a change in doubt may have cost. */
	readonly fee: FeeRange;
}

export interface BegunChange {
	/** The content of the line then. */
	readonly content: Omit<InputLine, 'line'>;
	readonly changeId: string;
	/** When the id was first sent, in Unix milliseconds of the service's clock. If that clock was set back, the earliest. */
	readonly sentSinceMs: number;
	/** When every request with the id has expired, in Unix seconds of the service's clock. */
	readonly expires: number;
	/** Whether its request may take effect at any time. A look can find the change, but absence proves nothing. */
	readonly mayHappenLater: boolean;
}

export const NOT_BEGUN: LineHistory = { state: 'not_begun', fee: NO_FEE };

/** The history with one more entry. If a `begun` follows a `begun`, the line was in doubt between them. */
export function withEntry(history: LineHistory, entry: JournalEntry): LineHistory {
	const { begun, fee } = history;
	if (entry.state === 'begun') {
		const { username, amount_usd_cents: amountCents = 0, reference, change_id: changeId } = entry;
		const { may_happen_later: later = false } = entry;
		const earlier = begun?.changeId === changeId ? begun : undefined;
		const sentAtMs = Date.parse(entry.at);
		return {
			state: 'begun',
			begun: {
				content: { username, amountCents, ...(reference !== undefined && { reference }) },
				changeId,
				sentSinceMs: Math.min(earlier?.sentSinceMs ?? sentAtMs, sentAtMs),
				expires: Math.max(earlier?.expires ?? 0, entry.expires),
				mayHappenLater: later || earlier?.mayHappenLater === true,
			},
			fee,
		};
	}
	const { min_cents: minCents = 0, max_cents: maxCents = 0 } = entry.fee ?? {};
	const paid = { minCents: fee.minCents + minCents, maxCents: fee.maxCents + maxCents };
	return { state: entry.state, code: entry.code, begun, fee: paid };
}

/** The history of each line that has entries, by line number. */
export function historiesOf(entries: readonly JournalEntry[]): Map<number, LineHistory> {
	const histories = new Map<number, LineHistory>();
	for (const entry of entries) {
		histories.set(entry.line, withEntry(histories.get(entry.line) ?? NOT_BEGUN, entry));
	}
	return histories;
}

/** What may have been paid for a line. A create in doubt may have cost its fee, once however often it was sent. */
export function feeOf({ state, fee }: LineHistory, { paysFee = false }: Pick<Change, 'paysFee'>): FeeRange {
	if (!paysFee || state !== 'begun') return fee;
	return { minCents: fee.minCents, maxCents: fee.maxCents + CREATE_FEE_CENTS };
}

/**
 * What the journal means for a line.
 * - `to_send`: it has not taken effect.
 * - `to_look_for`: it may have taken effect, and its id tells.
 * - `unknowable`: it may have taken effect, and the service may have forgotten its id. It must never be sent again.
 * - `username_taken`: another reseller has its username, and another try would cost the fee again.
 */
export type Standing = 'to_send' | 'to_look_for' | 'unknowable' | 'username_taken' | 'done';

/** `serviceTime`: `undefined` if the service was not asked. Then a line in doubt counts as one to look for. */
export function standingOf({ state, code, begun }: LineHistory, serviceTime: Date | undefined): Standing {
	if (state === 'begun') return isRemembered(begun, serviceTime) ? 'to_look_for' : 'unknowable';
	if (state === 'done') return 'done';
	return code === 'username_taken' ? 'username_taken' : 'to_send';
}

/** Whether a run has something to do for the line. */
export function isPending(history: LineHistory, serviceTime: Date | undefined): boolean {
	const standing = standingOf(history, serviceTime);
	return standing === 'to_send' || standing === 'to_look_for';
}

/** An hour less than the service remembers a change, because a request may arrive late. */
const REMEMBERED_MS = 47 * 60 * 60 * 1000;

/** If the service's clock was set back, the age may be below zero. Then the id is not old. */
function isRemembered(begun: BegunChange | undefined, serviceTime: Date | undefined): boolean {
	if (serviceTime === undefined) return true;
	return serviceTime.getTime() - (begun?.sentSinceMs ?? Number.NaN) < REMEMBERED_MS;
}

/** The timestamp of an answer is rounded down to a second, and the client rounds an expiry up, by less than two. */
const WHOLE_SECONDS_MS = 3_000;

/**
 * The latest second of the service's clock at which a request can expire of a call that begins now. A request expires half of
 * `timeoutMs` after it is sent. The known time is that of an answer, which may have been on its way for `timeoutMs`.
 */
export function latestExpiry(serviceTime: Date, { timeoutMs, totalTimeoutMs }: CallPatience): number {
	const latestMs = serviceTime.getTime() + totalTimeoutMs + timeoutMs / 2 + timeoutMs + WHOLE_SECONDS_MS;
	return Math.ceil(latestMs / 1000);
}

/** What the client needs to settle a change in doubt. */
export function knownOf(
	{ operation, hasAmounts }: Pick<Change, 'operation' | 'hasAmounts'>,
	{ content: { username, amountCents }, changeId, expires, mayHappenLater }: BegunChange,
): UnknownOutcome {
	return { operation, username, ...(hasAmounts && { amountCents }), changeId, expires, mayHappenLater };
}
