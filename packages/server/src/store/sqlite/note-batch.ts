import type { Note, NoteOutcome } from '../../domain/bookkeeping/note.ts';
import { decideNotes } from '../note-update.ts';
import type { Connection } from './connection.ts';
import { prepareShared } from './shared-statements.ts';
import type { Transaction } from './transaction.ts';

/** Decides and writes notes of bookkeeping, inside a transaction that already holds the lock. */
export function noteBatch(connection: Connection): Transaction<Note, NoteOutcome> {
	const { write } = prepareShared(connection);
	return (notes, nowMs) => {
		const faults: unknown[] = [];
		const results = decideNotes(notes, nowMs).map((decided): NoteOutcome => {
			if ('fault' in decided) {
				faults.push(decided.fault);
				return { ok: false, error: 'rules_failed' };
			}
			const { table, set, where, values } = decided;
			write({ sql: `UPDATE ${table} SET ${set} WHERE ${where}`, values });
			return { ok: true };
		});
		return { results, faults };
	};
}
