import type { EventData } from '@bursar/contract/events';
import type { Books } from '../../domain/books.ts';
import { isShortText } from '../../domain/short-text.ts';
import { areLimits, type Limits, limitsView, type Terms } from '../../domain/terms.ts';
import { actOfProgram, subUserOf } from '../asking.ts';
import type { ResellersChange } from '../command.ts';
import { happened } from '../happened.ts';
import { type Decision, refused } from '../verb.ts';

export interface TermsCommand extends ResellersChange {
	readonly username: string;
}

/** The terms that hold now. */
export interface NewTerms {
	readonly ok: true;
	readonly username: string;
	readonly terms: Terms;
}

/** What a change of terms needs of the store. */
export function termsNeeds({ username }: TermsCommand) {
	return { subUsers: [username], terms: true } as const;
}

/** What the reseller is told of new terms. */
type ToldOfTerms = 'sub_user.suspended' | 'sub_user.resumed' | 'sub_user.limits_set';

/**
 * Sets what a sub-user's terms are to be: `change` makes them, or says why not. What holds already is not set again. `told`:
 * the event that tells of it, if one does.
 */
export function changeTerms<Reason extends string>(
	books: Books,
	command: TermsCommand,
	nowMs: number,
	change: (before: Terms) => Terms | Reason,
	told?: ToldOfTerms,
): Decision<NewTerms, Reason | 'unknown_sub_user'> {
	const account = subUserOf(books, command);
	if (!account) return refused('unknown_sub_user');
	const before = books.termsOf(account);
	const terms = change(before);
	if (typeof terms === 'string') return refused(terms);
	const { reseller, username } = account;
	const outcome = { ok: true, username, terms } as const;
	if (JSON.stringify(before) === JSON.stringify(terms)) return { outcome, effects: [] };
	return {
		outcome,
		effects: [
			{ kind: 'change_terms', change: { reseller, username, terms } },
			...(told ? [happened(command, nowMs, told, dataOf(told, terms), username)] : []),
			...actOfProgram(command, username, nowMs),
		],
	};
}

/** The terms with these limits. `null` removes a limit; one that is absent stays as it is. */
export function withLimits(terms: Terms, changed: Partial<Limits>): Terms | 'invalid_limits' {
	const limits = { ...terms.limits, ...changed };
	return areLimits(limits) ? { ...terms, limits } : 'invalid_limits';
}

/** The terms with this note. Empty: none. */
export function withNote(terms: Terms, note: string): Terms | 'invalid_note' {
	return isShortText(note, false) ? { ...terms, note } : 'invalid_note';
}

function dataOf(told: ToldOfTerms, { limits }: Terms): EventData[ToldOfTerms] {
	return told === 'sub_user.limits_set' ? { limits: limitsView(limits) } : {};
}
