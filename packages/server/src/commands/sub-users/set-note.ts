import type { Verb } from '../verb.ts';
import { changeTerms, type NewTerms, type TermsCommand, termsNeeds, withNote } from './change-terms.ts';

export interface SetNote extends TermsCommand {
	readonly kind: 'set_note';
	/** `isShortText` says what it may be. Empty: none. */
	readonly note: string;
}

/** Writes what a reseller notes about a sub-user. */
export const setNote: Verb<SetNote, NewTerms, 'unknown_sub_user' | 'invalid_note'> = {
	kind: 'set_note',
	calls: ['/sub-users/note'],
	isResellersChange: true,
	needs: termsNeeds,
	decide: (books, command, nowMs) =>
		changeTerms<'invalid_note'>(books, command, nowMs, (before) => withNote(before, command.note)),
};
