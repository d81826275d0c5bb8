import type { Note, NoteOutcome } from '../../../domain/bookkeeping/note.ts';
import {
	addOpen,
	type DecidedNote,
	decideNotes,
	forgetOpen,
	isOpenKind,
	NOTE_WRITINGS,
	type NoteWriting,
	OPEN_WRITINGS,
	type OpenKind,
	openForgottenBeforeMs,
	openKindsOf,
	type UpdatingKind,
} from '../../note-writing.ts';
import type { Query } from '../database/connections.ts';
import { unnested } from '../rows.ts';
import { FORGET_MARKS } from './commit-mark.ts';
import type { Transaction } from './transaction.ts';

/**
 * Decides and writes notes of bookkeeping, one statement for each kind. It takes only rows that no other transaction
 * holds. So it waits for nobody, and there is no order of locks to keep. A note whose row is held is `not_done`. Old
 * commit marks are forgotten on the way.
 */
export const noteBatch: Transaction<Note, NoteOutcome> = async (query, notes, nowMs) => {
	const decided = decideNotes(notes, nowMs);
	const held = new Set<DecidedNote>();
	await Promise.all(
		statementsOf(decided).map(async (together) => {
			const kind = together[0]?.kind;
			if (kind !== undefined && isOpenKind(kind)) return writeOpen(query, kind, together);
			const keys = await writeTogether(query, together);
			for (const note of together) if (keys.has(note.key)) held.add(note);
		}),
	);
	return {
		results: decided.map((note): NoteOutcome => {
			if ('fault' in note) return { ok: false, error: 'rules_failed' };
			return held.has(note) ? { ok: false, error: 'not_done' } : { ok: true };
		}),
		faults: decided.flatMap((note) => ('fault' in note ? [note.fault] : [])),
		writes: [
			FORGET_MARKS,
			...openKindsOf(notes).map((kind) => {
				return { sql: forgetOpen(kind, 'FOR UPDATE SKIP LOCKED'), values: [openForgottenBeforeMs(nowMs)] };
			}),
		],
		mustCommit: true,
	};
};

type PossibleNote = Exclude<DecidedNote, { readonly fault: unknown }>;

/** Notes of one kind go together, but no two for the same row: a statement changes each row once. They keep their order. */
function statementsOf(decided: readonly DecidedNote[]): readonly (readonly PossibleNote[])[] {
	const statements = new Map<string, PossibleNote[]>();
	const timesOf = new Map<string, number>();
	for (const note of decided) {
		if ('fault' in note) continue;
		const row = `${note.kind} ${note.key}`;
		const times = timesOf.get(row) ?? 0;
		timesOf.set(row, times + 1);
		const name = `${note.kind} ${times}`;
		const together = statements.get(name);
		if (together) together.push(note);
		else statements.set(name, [note]);
	}
	return [...statements.values()];
}

/** Only notes of the same edge in another process hold such rows, and all lock them in the same order. */
async function writeOpen(query: Query, kind: OpenKind, together: readonly PossibleNote[]): Promise<void> {
	const { from, values } = givenOf(together, OPEN_WRITINGS[kind].columns);
	await query(addOpen(kind, from), values);
}

/** Writes notes of one kind. Returns the keys of the rows that another transaction holds. */
async function writeTogether(query: Query, together: readonly PossibleNote[]): Promise<ReadonlySet<string>> {
	const { table, key, columns, where, set } = NOTE_WRITINGS[(together[0] as PossibleNote).kind as UpdatingKind];
	const { from, values } = givenOf(together, columns);
	const matching = `${table}.${key} = given.key AND ${where}`;
	const { rows } = await query<{ key: string }>(
		`WITH given AS (SELECT * FROM ${from}),
			free AS (SELECT given.key FROM given JOIN ${table} ON ${matching} FOR UPDATE OF ${table} SKIP LOCKED),
			written AS (UPDATE ${table} SET ${set} FROM given
				WHERE ${table}.${key} = given.key AND given.key IN (SELECT key FROM free) RETURNING given.key)
		 SELECT given.key FROM given JOIN ${table} ON ${matching} WHERE given.key NOT IN (SELECT key FROM written)`,
		values,
	);
	return new Set(rows.map((row) => row.key));
}

function givenOf(together: readonly PossibleNote[], columns: NoteWriting['columns']) {
	return unnested({
		count: together.length,
		columns: Object.entries(columns).map(([name, type], index) => {
			return { name, type, values: together.map((note) => note.values[index]) };
		}),
	});
}
