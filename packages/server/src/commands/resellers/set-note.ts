import { isShortText } from '../../domain/short-text.ts';
import type { AccountCommand } from '../command.ts';
import { refused, type Verb } from '../verb.ts';

export interface NoteReseller extends AccountCommand {
	readonly kind: 'note_reseller';
	/** `isShortText` says what it may be. Empty: none. */
	readonly note: string;
}

interface Noted {
	readonly ok: true;
	/** The reseller. */
	readonly username: string;
	readonly note: string;
}

/** Writes what operators note about a reseller. The reseller does not see it. */
export const noteReseller: Verb<NoteReseller, Noted, 'unknown_reseller' | 'invalid_note'> = {
	kind: 'note_reseller',
	calls: ['/operator/note'],
	giver: 'person',
	setsState: true,
	needs: () => ({ ownTerms: true }),
	decide(books, { reseller, note }) {
		if (!isShortText(note, false)) return refused('invalid_note');
		if (!books.account(reseller, reseller)) return refused('unknown_reseller');
		const outcome = { ok: true, username: reseller, note } as const;
		const before = books.termsOf({ reseller, username: reseller });
		if (before.note === note) return { outcome, effects: [] };
		const change = { reseller, username: reseller, terms: { ...before, note } };
		return { outcome, effects: [{ kind: 'change_terms', change }] };
	},
};
