import { OPEN_KNOWN_MS } from '@bursar/contract/edge-limits';
import { decideNote, type Note } from '../domain/bookkeeping/note.ts';
import { liveSessions, liveSessionsAt } from './tables/people/live-sessions.ts';

/**
 * How notes of one kind change their rows, on any engine. The values of a note are a row of a table `given`. No row is
 * added, so nothing that has ended comes back. Only what is open is written in another way: see `addOpen`.
 */
export interface NoteWriting {
	readonly table: string;
	/** The key column of the table. */
	readonly key: string;
	/** The columns of `given`. The first one is the key of the row to change. */
	readonly columns: Readonly<Record<string, 'text' | 'bigint'>>;
	/** Whether a note still changes the row with its key. */
	readonly where: string;
	readonly set: string;
}

/** The kinds of notes that change a row. */
export type UpdatingKind = Exclude<Note['kind'], OpenKind>;

/** The kinds of notes that say how many connections are open. */
export type OpenKind = 'open_on_edge' | 'open_in_process';

export const NOTE_WRITINGS: Readonly<Record<UpdatingKind, NoteWriting>> = {
	token_use: {
		table: 'tokens',
		key: 'hash',
		columns: { key: 'text', at_ms: 'bigint' },
		where: 'true',
		set: `last_used_at_ms = ${laterOf('last_used_at_ms')}`,
	},
	session_use: {
		table: 'sessions',
		key: 'hash',
		columns: {
			key: 'text',
			at_ms: 'bigint',
			seen_after_ms: 'bigint',
			seen_before_ms: 'bigint',
			began_after_ms: 'bigint',
			began_before_ms: 'bigint',
		},
		where: `last_seen_at_ms < given.at_ms AND
			${liveSessions('given.seen_after_ms', 'given.seen_before_ms', 'given.began_after_ms', 'given.began_before_ms')}`,
		set: 'last_seen_at_ms = given.at_ms',
	},
	edge_use: {
		table: 'edges',
		key: 'name',
		columns: { key: 'text', at_ms: 'bigint', more_checks: 'bigint', more_refusals: 'bigint' },
		where: 'true',
		set: `checks = checks + given.more_checks, refusals = refusals + given.more_refusals,
			last_seen_at_ms = ${laterOf('last_seen_at_ms')}`,
	},
	backup_made: {
		table: 'meta',
		key: 'name',
		columns: { key: 'text', at_ms: 'bigint' },
		// As texts, because a cast might be tried on other rows first. Times have as many digits until the year 2286.
		where: 'value < CAST(given.at_ms AS TEXT)',
		set: 'value = CAST(given.at_ms AS TEXT)',
	},
	// Only SQLite has this row. On PostgreSQL each batch writes its commit mark, and processes do not wait for each other.
	write_check: {
		table: 'meta',
		key: 'name',
		columns: { key: 'text', at_ms: 'bigint' },
		where: 'true',
		set: 'value = CAST(given.at_ms AS TEXT)',
	},
	public_url: {
		table: 'meta',
		key: 'name',
		columns: { key: 'text', url: 'text' },
		where: 'value <> given.url',
		set: 'value = given.url',
	},
	mail_setup: {
		table: 'meta',
		key: 'name',
		columns: { key: 'text', setup: 'text' },
		where: 'value <> given.setup',
		set: 'value = given.setup',
	},
	verification_progress: {
		table: 'verifications',
		key: 'id',
		columns: {
			key: 'text',
			at_ms: 'bigint',
			now_done: 'bigint',
			all_steps: 'bigint',
			end_ms: 'bigint',
			its_result: 'text',
		},
		where: 'ended_at_ms IS NULL AND done <= given.now_done',
		set: `done = given.now_done, steps = given.all_steps, noted_at_ms = given.at_ms, ended_at_ms = given.end_ms,
			result = given.its_result`,
	},
};

/** Where what is open is kept, by the kind of the note. */
export const OPEN_WRITINGS: Readonly<Record<OpenKind, OpenWriting>> = {
	open_on_edge: openWriting('open_connections', ['username', 'edge']),
	open_in_process: openWriting('open_in_processes', ['username', 'edge', 'process']),
};

interface OpenWriting {
	readonly table: string;
	/** The columns of the primary key. */
	readonly key: readonly string[];
	/** The columns of `given`. The first one only names the note. */
	readonly columns: Readonly<Record<string, 'text' | 'bigint'>>;
}

function openWriting(table: string, key: readonly string[]): OpenWriting {
	const ofKey = Object.fromEntries(key.map((column) => [column, 'text'] as const));
	return { table, key, columns: { key: 'text', ...ofKey, open: 'bigint', at_ms: 'bigint' } };
}

export function isOpenKind(kind: Note['kind']): kind is OpenKind {
	return kind in OPEN_WRITINGS;
}

/**
 * Writes what edges have open, of the table `given`: only for accounts with such a limit, so that edges cannot fill the
 * table. Rows are locked in one order.
 */
export function addOpen(kind: OpenKind, given: string): string {
	const { table, key } = OPEN_WRITINGS[kind];
	const ofGiven = key.map((column) => `given.${column}`).join(', ');
	return `INSERT INTO ${table} (${key.join(', ')}, open, at_ms)
		SELECT ${ofGiven}, given.open, given.at_ms FROM ${given}
		JOIN usernames ON usernames.username = given.username
		JOIN accounts ON accounts.reseller = usernames.reseller AND accounts.username = usernames.username
		WHERE accounts.connections IS NOT NULL ORDER BY ${ofGiven}
		ON CONFLICT (${key.join(', ')}) DO UPDATE SET open = excluded.open, at_ms = excluded.at_ms`;
}

/**
 * Forgets what edges said long ago: twice as many rows as a batch can add. $1: before which time. `locking` leaves out rows
 * that another transaction holds.
 */
export function forgetOpen(kind: OpenKind, locking = ''): string {
	const { table, key } = OPEN_WRITINGS[kind];
	return `DELETE FROM ${table} WHERE (${key.join(', ')}) IN
		(SELECT ${key.join(', ')} FROM ${table} WHERE at_ms < $1 ORDER BY at_ms LIMIT 512 ${locking})`;
}

/** The kinds of open connections that these notes have. */
export function openKindsOf(notes: readonly Note[]): readonly OpenKind[] {
	return [...new Set(notes.map(({ kind }) => kind).filter(isOpenKind))];
}

/** Before this time, in Unix milliseconds, what edges said counts no more on any clock. */
export function openForgottenBeforeMs(nowMs: number): number {
	return nowMs - 6 * OPEN_KNOWN_MS;
}

/** The later one of the time in a column, which may be NULL, and the given time. */
function laterOf(column: string): string {
	return `CASE WHEN ${column} > given.at_ms THEN ${column} ELSE given.at_ms END`;
}

/** A note that was decided, with its values for the columns of `given`, or why it is impossible. */
export type DecidedNote =
	| { readonly kind: Note['kind']; readonly key: string; readonly values: readonly (string | number | null)[] }
	| { readonly fault: unknown };

/** Decides notes one by one. `nowMs` is in Unix milliseconds. */
export function decideNotes(notes: readonly Note[], nowMs: number): readonly DecidedNote[] {
	return notes.map((note) => {
		try {
			const [key, ...values] = valuesOf(decideNote(note, nowMs), nowMs);
			return { kind: note.kind, key, values: [key, ...values] };
		} catch (fault) {
			return { fault };
		}
	});
}

function valuesOf(note: Note, nowMs: number): readonly [key: string, ...(string | number | null)[]] {
	switch (note.kind) {
		case 'token_use':
			return [note.hash, note.usedAtMs];
		case 'session_use':
			return [note.hash, note.usedAtMs, ...liveSessionsAt(nowMs)];
		case 'edge_use':
			return [note.name, note.seenAtMs, note.checks, note.refusals];
		case 'open_on_edge':
			return [`${note.username} ${note.edge}`, note.username, note.edge, note.open, nowMs];
		case 'open_in_process': {
			const { username, edge, process, open } = note;
			return [`${username} ${edge} ${process}`, username, edge, process, open, nowMs];
		}
		case 'backup_made':
			return ['last_backup_ms', note.beganAtMs];
		case 'write_check':
			return ['write_check', nowMs];
		case 'public_url':
			return ['public_url', note.url];
		case 'mail_setup':
			return ['mail', note.isOn ? 'on' : 'off'];
		case 'verification_progress': {
			const { id, done, steps, result } = note;
			return [id, nowMs, done, steps, result === undefined ? null : nowMs, result ?? null];
		}
	}
}
