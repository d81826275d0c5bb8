import { decideNote, type Note } from '../domain/bookkeeping/note.ts';
import { LIVE_SESSIONS, liveSessionsAt } from './live-sessions.ts';

/** How a note changes its row, on any engine. It never adds a row, so nothing that has ended comes back. */
export interface NoteUpdate {
	readonly table: string;
	/** The key column of the table. */
	readonly key: string;
	/** The condition for the row: it is there, and the note changes it. */
	readonly where: string;
	readonly set: string;
	/** For `$1`, `$2` and so on. */
	readonly values: readonly (string | number | null)[];
}

/** Decides notes one by one. `nowMs` is in Unix milliseconds. */
export function decideNotes(
	notes: readonly Note[],
	nowMs: number,
): readonly (NoteUpdate | { readonly fault: unknown })[] {
	return notes.map((note) => {
		try {
			return updateOf(decideNote(note, nowMs), nowMs);
		} catch (fault) {
			return { fault };
		}
	});
}

function updateOf(note: Note, nowMs: number): NoteUpdate {
	switch (note.kind) {
		case 'token_use':
			return {
				table: 'tokens',
				key: 'hash',
				where: 'hash = $1',
				set: `last_used_at_ms = ${laterOf('last_used_at_ms', '$2')}`,
				values: [note.hash, note.usedAtMs],
			};
		case 'session_use':
			return {
				table: 'sessions',
				key: 'hash',
				where: `${LIVE_SESSIONS} AND hash = $5 AND last_seen_at_ms < $6`,
				set: 'last_seen_at_ms = $6',
				values: [...liveSessionsAt(nowMs), note.hash, note.usedAtMs],
			};
		case 'edge_use':
			return {
				table: 'edges',
				key: 'name',
				where: 'name = $1',
				set: `checks = checks + $2, refusals = refusals + $3, last_seen_at_ms = ${laterOf('last_seen_at_ms', '$4')}`,
				values: [note.name, note.checks, note.refusals, note.seenAtMs],
			};
		case 'verification_progress': {
			const { id, done, steps, result } = note;
			return {
				table: 'verifications',
				key: 'id',
				where: 'id = $1 AND ended_at_ms IS NULL AND done <= $2',
				set: 'done = $2, steps = $3, noted_at_ms = $4, ended_at_ms = $5, result = $6',
				values: [id, done, steps, nowMs, result === undefined ? null : nowMs, result ?? null],
			};
		}
	}
}

/** The later time of a column, which may be NULL, and a value. */
function laterOf(column: string, value: string): string {
	return `CASE WHEN ${column} > ${value} THEN ${column} ELSE ${value} END`;
}
