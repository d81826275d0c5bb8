import { CREATE_FEE_CENTS, type FeeRange } from '@bursar/client';
import type { FeeFields } from '../../output/fields.ts';
import { type Change, NO_FEE } from '../changes.ts';
import type { InputLine } from '../input/read-input.ts';

/** A journal entry for a line: `begun` before its request is sent, the others once its outcome is known. */
export type JournalEntry =
	| {
			readonly line: number;
			readonly state: 'begun';
			readonly at: string;
			/** The id of the change, if the service records it. All requests for this line carry it until its outcome is known. */
			readonly change_id?: string;
			/** The content of the line, because the file may change. */
			readonly username: string;
			readonly amount_usd_cents?: number;
			/** The sub-user's balance before a transfer, in USD cents, if it can tell the outcome. */
			readonly balance_before?: number;
			/** The service itself could not learn the outcome: the change may take effect at any time. */
			readonly may_happen_later?: boolean;
	  }
	| {
			readonly line: number;
			readonly state: 'done' | 'not_done' | 'unknown';
			/** The code of the failure. */
			readonly code?: string;
			/** What was paid for the line since it was begun. */
			readonly fee?: FeeFields;
			/** The service itself could not learn the outcome: the change may take effect at any time. */
			readonly may_happen_later?: true;
			/** Another client moved the balance too, so it cannot tell the outcome. */
			readonly disturbed?: true;
	  };

/** What the journal tells about a line. */
export interface LineHistory {
	readonly state: 'not_begun' | JournalEntry['state'];
	readonly code?: string | undefined;
	/** The content of the line when it was last begun. */
	readonly content?: Omit<InputLine, 'line'> | undefined;
	/** The id of its last change, if the service records it. */
	readonly changeId?: string | undefined;
	/** When that id was first sent, in Unix milliseconds of this machine. */
	readonly sentSinceMs?: number | undefined;
	readonly balanceBeforeCents?: number | undefined;
	/** Whether its request may take effect at any time. A look can find the change, but absence proves nothing. */
	readonly mayHappenLater?: boolean | undefined;
	/** Whether another client moved the balance too, so that it cannot tell the outcome. */
	readonly isDisturbed?: boolean | undefined;
	/** Whether a create was cut off before its fee was known. */
	readonly isFeeUnknown?: boolean | undefined;
	/** What all runs may have paid for the line, also runs that were cut off. */
	readonly fee: FeeRange;
}

export const NOT_BEGUN: LineHistory = { state: 'not_begun', fee: NO_FEE };

/** The history with one more entry. If a `begun` follows a `begun`, a run was cut off between them. */
export function withEntry(history: LineHistory, entry: JournalEntry, operation: Change['operation']): LineHistory {
	if (entry.state === 'begun') {
		const { username, amount_usd_cents: amountCents = 0, balance_before: balanceBeforeCents } = entry;
		const changeId = entry.change_id;
		// The service does a change with one id only once, and takes only one fee for it.
		const isSameChange = changeId !== undefined && changeId === history.changeId;
		return {
			state: 'begun',
			content: { username, amountCents },
			changeId,
			sentSinceMs: isSameChange ? history.sentSinceMs : Date.parse(entry.at),
			balanceBeforeCents,
			mayHappenLater: entry.may_happen_later || (isSameChange && history.mayHappenLater),
			fee: isSameChange ? history.fee : feeOf(history, operation),
		};
	}
	const { min_cents: minCents = 0, max_cents: maxCents = 0 } = entry.fee ?? {};
	const { content, changeId, sentSinceMs, balanceBeforeCents, fee } = history;
	const isFeeUnknown = entry.state === 'unknown' && (entry.fee === undefined || changeId !== undefined);
	const paid = isFeeUnknown ? fee : { minCents: fee.minCents + minCents, maxCents: fee.maxCents + maxCents };
	const mayHappenLater = history.mayHappenLater || entry.may_happen_later;
	const isDisturbed = history.isDisturbed || entry.disturbed;
	const known = { content, changeId, sentSinceMs, balanceBeforeCents, mayHappenLater, isDisturbed, isFeeUnknown };
	return { state: entry.state, code: entry.code, ...known, fee: paid };
}

/** The history of each line that has entries, by line number. */
export function historiesOf(
	entries: readonly JournalEntry[],
	operation: Change['operation'],
): Map<number, LineHistory> {
	const histories = new Map<number, LineHistory>();
	for (const entry of entries) {
		histories.set(entry.line, withEntry(histories.get(entry.line) ?? NOT_BEGUN, entry, operation));
	}
	return histories;
}

/** What may have been paid for a line. A create that was begun and not ended may have cost its fee. */
export function feeOf({ state, fee, isFeeUnknown }: LineHistory, operation: Change['operation']): FeeRange {
	if (operation !== 'create' || (state !== 'begun' && !isFeeUnknown)) return fee;
	return { minCents: fee.minCents, maxCents: fee.maxCents + CREATE_FEE_CENTS };
}

/**
 * What to do for a line.
 * - `send`: no request for it can have taken effect.
 * - `look`: an earlier request may have taken effect, or still may. Look first.
 * - `nothing`: it is done, or another try would only cost the fee again, or its outcome cannot be known.
 */
export function nextStep(
	history: LineHistory,
	operation: Change['operation'],
	isSoleWriter: boolean,
): 'send' | 'look' | 'nothing' {
	const { state, code, balanceBeforeCents } = history;
	if (state === 'not_begun') return 'send';
	if (state === 'done') return 'nothing';
	if (state === 'not_done') return code === 'username_taken' ? 'nothing' : 'send';
	const isTransfer = operation === 'give' || operation === 'take';
	if (!isTransfer || isRecorded(history)) return 'look';
	return isSoleWriter && balanceBeforeCents !== undefined ? 'look' : 'nothing';
}

/** An hour less than the service remembers a change, because a clock may be wrong, and a request late. */
const REMEMBERED_MS = 47 * 60 * 60 * 1000;

/** Whether the service can still tell by the id of the last change whether it took effect. */
export function isRecorded({ changeId, sentSinceMs = Number.NaN }: LineHistory): boolean {
	const ageMs = Date.now() - sentSinceMs;
	return changeId !== undefined && ageMs >= 0 && ageMs < REMEMBERED_MS;
}

/** Whether an earlier run may have sent a request for the line without learning its outcome. */
export function isInDoubt({ state }: LineHistory): boolean {
	return state === 'begun' || state === 'unknown';
}

/**
 * Whether later lines of the same username must wait until this one is judged: they would change the balance that
 * tells its outcome. A change that may happen at any time could also be taken for the change of a later line. An id
 * tells the outcome whatever else changes.
 */
export function delaysLaterLines(history: LineHistory): boolean {
	if (!isInDoubt(history) || history.changeId !== undefined) return false;
	return history.balanceBeforeCents !== undefined || history.mayHappenLater === true;
}
