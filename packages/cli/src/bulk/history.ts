import { CREATE_FEE_CENTS, type FeeRange } from '@bursar/client';
import type { FeeFields } from '../output/fields.ts';
import { type Change, NO_FEE } from './changes.ts';
import type { InputLine } from './input.ts';

/** What is written of a line: `begun` before its request is sent, the others once it is known what came of it. */
export type JournalEntry =
	| {
			readonly line: number;
			readonly state: 'begun';
			/** For people who read the journal; nothing is decided by it. */
			readonly at: string;
			/** What the line said: the file may change. */
			readonly username: string;
			readonly amount_usd_cents?: number;
			/** The sub-user's balance before a transfer in USD cents, where it may serve as a witness. */
			readonly balance_before?: number;
	  }
	| {
			readonly line: number;
			readonly state: 'done' | 'not_done' | 'unknown';
			/** The code of the failure. */
			readonly code?: string;
			/** What was paid for it since it was begun. */
			readonly fee?: FeeFields;
			/** The service itself could not learn the outcome: it may take effect at any time. */
			readonly may_happen_later?: true;
			/** Somebody else moved the balance too: it is no witness any more. */
			readonly disturbed?: true;
	  };

/** What the journal tells of a line. */
export interface LineHistory {
	readonly state: 'untouched' | JournalEntry['state'];
	readonly code?: string | undefined;
	/** What the line said when it was last begun. */
	readonly subject?: Omit<InputLine, 'line'> | undefined;
	readonly balanceBeforeCents?: number | undefined;
	/** Whether a request for it may take effect at any time. It can be found, but never be found absent. */
	readonly mayHappenLater?: boolean | undefined;
	/** Whether somebody else moved the balance too, so that it is no witness any more. */
	readonly isDisturbed?: boolean | undefined;
	/** What may have been paid for it in all runs that have ended or were cut off. */
	readonly fee: FeeRange;
}

export const UNTOUCHED: LineHistory = { state: 'untouched', fee: NO_FEE };

/** The history with one more entry. A `begun` that follows a `begun` tells that a run was cut off between. */
export function withEntry(history: LineHistory, entry: JournalEntry, operation: Change['operation']): LineHistory {
	if (entry.state === 'begun') {
		const { username, amount_usd_cents: amountCents = 0, balance_before: balanceBeforeCents } = entry;
		return {
			state: 'begun',
			subject: { username, amountCents },
			balanceBeforeCents,
			fee: feeOf(history, operation),
		};
	}
	const { min_cents: minCents = 0, max_cents: maxCents = 0 } = entry.fee ?? {};
	const { subject, balanceBeforeCents, fee } = history;
	const paid = { minCents: fee.minCents + minCents, maxCents: fee.maxCents + maxCents };
	const mayHappenLater = history.mayHappenLater || entry.may_happen_later;
	const isDisturbed = history.isDisturbed || entry.disturbed;
	return { state: entry.state, code: entry.code, subject, balanceBeforeCents, mayHappenLater, isDisturbed, fee: paid };
}

/** What may have been paid for a line: a create that was begun and not ended may have cost its fee. */
export function feeOf({ state, fee }: LineHistory, operation: Change['operation']): FeeRange {
	if (state !== 'begun' || operation !== 'create') return fee;
	return { minCents: fee.minCents, maxCents: fee.maxCents + CREATE_FEE_CENTS };
}

/**
 * What there is to do for a line.
 * - `send`: nothing of it can have taken effect.
 * - `look`: an earlier request may have, or still may: it is looked for first.
 * - `nothing`: it is done; or trying again would only cost the fee once more; or nobody can tell.
 */
export function nextStep(
	{ state, code, balanceBeforeCents }: LineHistory,
	operation: Change['operation'],
	isSoleWriter: boolean,
): 'send' | 'look' | 'nothing' {
	if (state === 'untouched') return 'send';
	if (state === 'done') return 'nothing';
	if (state === 'not_done') return code === 'username_taken' ? 'nothing' : 'send';
	if (operation === 'create' || operation === 'reset_auth_key') return 'look';
	return isSoleWriter && balanceBeforeCents !== undefined ? 'look' : 'nothing';
}

/**
 * Whether later lines of the same username have to wait until this one is judged: they would change
 * the balance that tells what became of it.
 */
export function holdsBack({ state, balanceBeforeCents, mayHappenLater }: LineHistory): boolean {
	// What may happen at any time would also be taken for a later line.
	return (state === 'begun' || state === 'unknown') && (balanceBeforeCents !== undefined || mayHappenLater === true);
}
