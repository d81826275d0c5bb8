import type { Note, NoteOutcome } from '../../domain/bookkeeping/note.ts';
import { decideNotes, type NoteUpdate } from '../note-update.ts';
import { FORGET_MARKS } from './commit-mark.ts';
import type { Transaction } from './transaction.ts';

/**
 * Decides and writes notes of bookkeeping. It takes only rows that no other transaction holds, so it waits for nobody,
 * and there is no order of locks to keep. A note whose row is held is `not_done`. Old commit marks are forgotten on the
 * way.
 */
export const noteBatch: Transaction<Note, NoteOutcome> = async (query, notes, nowMs) => {
	const faults: unknown[] = [];
	const results = decideNotes(notes, nowMs).map(async (decided): Promise<NoteOutcome> => {
		if ('fault' in decided) {
			faults.push(decided.fault);
			return { ok: false, error: 'rules_failed' };
		}
		const { rows } = await query<{ isHeld: boolean }>(updateUnlessHeld(decided), decided.values);
		return rows[0]?.isHeld ? { ok: false, error: 'not_done' } : { ok: true };
	});
	return { results: await Promise.all(results), faults, writes: [FORGET_MARKS], mustCommit: true };
};

function updateUnlessHeld({ table, key, where, set }: NoteUpdate): string {
	return `WITH free AS (SELECT ${key} AS key FROM ${table} WHERE ${where} FOR UPDATE SKIP LOCKED),
		written AS (UPDATE ${table} SET ${set} WHERE ${key} = (SELECT key FROM free) RETURNING 1)
		SELECT EXISTS (SELECT FROM ${table} WHERE ${where}) AND NOT EXISTS (SELECT FROM written) AS "isHeld"`;
}
