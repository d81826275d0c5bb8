import type { Note, NoteOutcome } from '../../../domain/bookkeeping/note.ts';
import { decideNotes, NOTE_WRITINGS } from '../../note-writing.ts';
import type { Connection } from '../database/connection.ts';
import { prepareShared } from '../reading/shared-statements.ts';
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
			write({ sql: updateOf(decided.kind), values: decided.values });
			return { ok: true };
		});
		return { results, faults };
	};
}

function updateOf(kind: Note['kind']): string {
	const { table, key, columns, where, set } = NOTE_WRITINGS[kind];
	const names = Object.keys(columns);
	return `WITH given (${names.join(', ')}) AS (VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')}))
		UPDATE ${table} SET ${set} FROM given WHERE ${table}.${key} = given.key AND ${where}`;
}
