import type { Note, NoteOutcome } from '../../../domain/bookkeeping/note.ts';
import {
	addOpen,
	decideNotes,
	forgetOpen,
	isOpenKind,
	NOTE_WRITINGS,
	OPEN_WRITINGS,
	openForgottenBeforeMs,
	openKindsOf,
} from '../../note-writing.ts';
import type { Connection } from '../database/connection.ts';
import { prepareStatements } from '../rows.ts';
import type { Transaction } from './transaction.ts';

/** Decides and writes notes of bookkeeping, inside a transaction that already holds the lock. */
export function noteBatch(connection: Connection): Transaction<Note, NoteOutcome> {
	const { write } = prepareStatements(connection);
	return (notes, nowMs) => {
		const faults: unknown[] = [];
		for (const kind of openKindsOf(notes)) {
			write({ sql: forgetOpen(kind), values: [openForgottenBeforeMs(nowMs)] });
		}
		const results = decideNotes(notes, nowMs).map((decided): NoteOutcome => {
			if ('fault' in decided) {
				faults.push(decided.fault);
				return { ok: false, error: 'rules_failed' };
			}
			write({ sql: writingOf(decided.kind), values: decided.values });
			return { ok: true };
		});
		return { results, faults };
	};
}

function writingOf(kind: Note['kind']): string {
	if (isOpenKind(kind)) return `${givenOf(OPEN_WRITINGS[kind].columns)} ${addOpen(kind, 'given')}`;
	const { table, key, columns, where, set } = NOTE_WRITINGS[kind];
	return `${givenOf(columns)}
		UPDATE ${table} SET ${set} FROM given WHERE ${table}.${key} = given.key AND ${where}`;
}

function givenOf(columns: object): string {
	const names = Object.keys(columns);
	return `WITH given (${names.join(', ')}) AS (VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')}))`;
}
