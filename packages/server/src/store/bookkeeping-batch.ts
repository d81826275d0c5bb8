import { OPEN_KNOWN_MS } from '@bursar/contract/edge-limits';
import { type BookkeepingRecord, decideRecord, type RecordOutcome } from '../domain/bookkeeping/record.ts';
import {
	type Columns,
	compare,
	type GivenRows,
	givenRows,
	type SharedStatement,
	type WriteOfGiven,
} from './statement.ts';
import { liveSessions, liveSessionsAt } from './tables/people/live-sessions.ts';
import { addingRefusals, forgetRefusals } from './tables/refusals/records.ts';
import { endingTry, leasing, passing, releasing } from './tables/webhooks/records.ts';

/** A batch of records, as an engine runs it in one transaction. */
interface BookkeepingBatch {
	readonly writes: readonly RecordWrite[];
	/** Keeps tries of webhooks, and forgets what edges said long ago: twice as many rows as a batch can add. */
	readonly afterwards: readonly (SharedStatement | WriteOfGiven)[];
	/** `held`: the keys of the rows of each write that another transaction holds. */
	outcomes(held: readonly ReadonlySet<string>[]): {
		readonly results: readonly RecordOutcome[];
		readonly faults: readonly unknown[];
	};
}

/** Records that are written with one statement. The table `given` has their values. */
export type RecordWrite = RowsChange | WriteOfGiven;

/** Changes rows of a table. No row is added, so nothing that has ended comes back. */
export interface RowsChange {
	readonly change: string;
	/** The column of the key, in the table and in `given`. */
	readonly key: string;
	/** Whether a record still changes the row with its key. */
	readonly where: string;
	readonly set: string;
	readonly given: GivenRows;
}

/** Decides records one by one. `leavingLocked` leaves out rows to forget that another transaction holds. */
export function bookkeepingBatch(
	records: readonly BookkeepingRecord[],
	nowMs: number,
	leavingLocked = '',
): BookkeepingBatch {
	const faults: unknown[] = [];
	const decided = records.map((record): DecidedRecord | undefined => {
		try {
			return { ...decideRecord(record, nowMs), nowMs };
		} catch (fault) {
			faults.push(fault);
			return undefined;
		}
	});
	const together = recordsTogether(decided.filter((record) => record !== undefined));
	const kinds = new Set(records.map(({ kind }) => kind));
	return {
		writes: together.map(writeOf),
		afterwards: [
			...together.flatMap((group) => afterwardsOf(group) ?? []),
			...OPEN_KINDS.filter((kind) => kinds.has(kind)).map((kind) => forgetOpen(kind, leavingLocked, nowMs)),
			// Also while nothing is refused.
			...(kinds.has('refused_on_edge') || kinds.has('edge_use') ? [forgetRefusals(leavingLocked, nowMs)] : []),
		],
		outcomes(held) {
			const heldRecords = new Set(
				together.flatMap((group, index) => group.filter((record) => held[index]?.has(keyOf(record)))),
			);
			const results = decided.map((record): RecordOutcome => {
				if (record === undefined) return { ok: false, error: 'rules_failed' };
				return heldRecords.has(record) ? { ok: false, error: 'not_done' } : { ok: true };
			});
			return { results, faults };
		},
	};
}

type Kind = BookkeepingRecord['kind'];
type Decided<Of extends Kind> = Extract<BookkeepingRecord, { readonly kind: Of }> & { readonly nowMs: number };
type DecidedRecord = Decided<Kind>;

/**
 * Records of one kind go together, but no two for the same row: a statement changes each row once. They keep their order. Kinds
 * have one order, because what is added may wait for the commit of another batch.
 */
function recordsTogether(decided: readonly DecidedRecord[]): readonly (readonly DecidedRecord[])[] {
	const groups = new Map<string, DecidedRecord[]>();
	const timesOf = new Map<string, number>();
	for (const record of decided) {
		const row = `${record.kind} ${keyOf(record)}`;
		const times = timesOf.get(row) ?? 0;
		timesOf.set(row, times + 1);
		const name = `${record.kind} ${times}`;
		const group = groups.get(name);
		if (group) group.push(record);
		else groups.set(name, [record]);
	}
	return [...groups.values()].sort(([one], [other]) => compare(one?.kind ?? '', other?.kind ?? ''));
}

function writeOf(records: readonly DecidedRecord[]): RecordWrite {
	const { kind } = records[0] as DecidedRecord;
	const { table, key, columns, ...change } = writingOf(kind);
	const given = givenRows(records, columns);
	if ('set' in change) return { change: table, key: key[0], where: change.where, set: change.set, given };
	return { sql: change.add, given };
}

function afterwardsOf(records: readonly DecidedRecord[]): WriteOfGiven | undefined {
	const writing = writingOf((records[0] as DecidedRecord).kind);
	if (!('set' in writing) || writing.afterwards === undefined) return undefined;
	return { sql: writing.afterwards, given: givenRows(records, writing.columns) };
}

/** The key of the row that a record is about. */
function keyOf(record: DecidedRecord): string {
	const { key, columns } = writingOf(record.kind);
	return key.map((name) => columns[name]?.[1](record)).join(' ');
}

function writingOf(kind: Kind): RecordWriting<Kind> {
	// Each kind has the columns of its records.
	return WRITINGS[kind] as RecordWriting<Kind>;
}

/** How records of one kind are written. */
type RecordWriting<Of extends Kind> = {
	readonly table: string;
	/** The columns of the key, in the table and in `given`. */
	readonly key: readonly [string, ...string[]];
	readonly columns: Columns<Decided<Of>>;
} & (ChangeOfRows | { readonly add: string });

interface ChangeOfRows extends Pick<RowsChange, 'where' | 'set'> {
	/** Written once the rows are changed, with the same values. */
	readonly afterwards?: string;
}

const WRITINGS: { readonly [Of in Kind]: RecordWriting<Of> } = {
	token_use: {
		table: 'tokens',
		key: ['hash'],
		columns: { hash: ['text', ({ hash }) => hash], at_ms: ['bigint', ({ usedAtMs }) => usedAtMs] },
		where: 'true',
		set: `last_used_at_ms = ${laterOf('last_used_at_ms')}`,
	},
	operator_token_use: {
		table: 'operator_tokens',
		key: ['hash'],
		columns: { hash: ['text', ({ hash }) => hash], at_ms: ['bigint', ({ usedAtMs }) => usedAtMs] },
		where: 'true',
		set: `last_used_at_ms = ${laterOf('last_used_at_ms')}`,
	},
	session_use: {
		table: 'sessions',
		key: ['hash'],
		columns: {
			hash: ['text', ({ hash }) => hash],
			at_ms: ['bigint', ({ usedAtMs }) => usedAtMs],
			seen_after_ms: ['bigint', ({ nowMs }) => liveSessionsAt(nowMs)[0]],
			seen_before_ms: ['bigint', ({ nowMs }) => liveSessionsAt(nowMs)[1]],
			began_after_ms: ['bigint', ({ nowMs }) => liveSessionsAt(nowMs)[2]],
			began_before_ms: ['bigint', ({ nowMs }) => liveSessionsAt(nowMs)[3]],
		},
		where: `last_seen_at_ms < given.at_ms AND
			${liveSessions('given.seen_after_ms', 'given.seen_before_ms', 'given.began_after_ms', 'given.began_before_ms')}`,
		set: 'last_seen_at_ms = given.at_ms',
	},
	edge_use: {
		table: 'edges',
		key: ['name'],
		columns: {
			name: ['text', ({ name }) => name],
			at_ms: ['bigint', ({ seenAtMs }) => seenAtMs],
			more_checks: ['bigint', ({ checks }) => checks],
			more_refusals: ['bigint', ({ refusals }) => refusals],
		},
		where: 'true',
		set: `checks = checks + given.more_checks, refusals = refusals + given.more_refusals,
			last_seen_at_ms = ${laterOf('last_seen_at_ms')}`,
	},
	open_on_edge: openWriting<Decided<'open_on_edge'>>('open_connections', {
		username: ['text', ({ username }) => username],
		edge: ['text', ({ edge }) => edge],
	}),
	open_in_process: openWriting<Decided<'open_in_process'>>('open_in_processes', {
		username: ['text', ({ username }) => username],
		edge: ['text', ({ edge }) => edge],
		process: ['text', ({ process }) => process],
	}),
	refused_on_edge: addingRefusals,
	backup_made: {
		...ofMeta<'backup_made'>('last_backup_ms', { at_ms: ['bigint', ({ beganAtMs }) => beganAtMs] }),
		// As texts, because a cast might be tried on other rows first. Times have as many digits until the year 2286.
		where: 'value < CAST(given.at_ms AS TEXT)',
		set: 'value = CAST(given.at_ms AS TEXT)',
	},
	// Only SQLite has this row. On PostgreSQL each batch writes its commit mark, and processes do not wait for each other.
	write_check: {
		...ofMeta<'write_check'>('write_check', { at_ms: ['bigint', ({ nowMs }) => nowMs] }),
		where: 'true',
		set: 'value = CAST(given.at_ms AS TEXT)',
	},
	public_url: {
		...ofMeta<'public_url'>('public_url', { url: ['text', ({ url }) => url] }),
		where: 'value <> given.url',
		set: 'value = given.url',
	},
	mail_setup: {
		...ofMeta<'mail_setup'>('mail', { setup: ['text', ({ isOn }) => (isOn ? 'on' : 'off')] }),
		where: 'value <> given.setup',
		set: 'value = given.setup',
	},
	payments_swept: {
		table: 'meta',
		key: ['name'],
		columns: {
			name: ['text', ({ provider }) => `${provider}_swept_ms`],
			to_ms: ['bigint', ({ toMs }) => toMs],
		},
		// It may go back, as the clock may: then more is listed again.
		where: 'value <> CAST(given.to_ms AS TEXT)',
		set: 'value = CAST(given.to_ms AS TEXT)',
	},
	webhook_lease: leasing,
	webhook_release: releasing,
	webhook_pass: passing,
	webhook_try: endingTry,
	verification_progress: {
		table: 'verifications',
		key: ['id'],
		columns: {
			id: ['text', ({ id }) => id],
			at_ms: ['bigint', ({ nowMs }) => nowMs],
			now_done: ['bigint', ({ done }) => done],
			all_steps: ['bigint', ({ steps }) => steps],
			end_ms: ['bigint', ({ result, nowMs }) => (result === undefined ? null : nowMs)],
			its_result: ['text', ({ result }) => result ?? null],
		},
		where: 'ended_at_ms IS NULL AND done <= given.now_done',
		set: `done = given.now_done, steps = given.all_steps, noted_at_ms = given.at_ms, ended_at_ms = given.end_ms,
			result = given.its_result`,
	},
};

/** A fact about the store, which has a row since the store was made. */
function ofMeta<Of extends Kind>(name: string, columns: Columns<Decided<Of>>) {
	return { table: 'meta', key: ['name'] as const, columns: { name: ['text', () => name] as const, ...columns } };
}

/** How many connections are open, in a table with this key. */
function openWriting<Of extends { readonly open: number; readonly nowMs: number }>(table: string, key: Columns<Of>) {
	const columns: Columns<Of> = {
		...key,
		open: ['bigint', ({ open }) => open],
		at_ms: ['bigint', ({ nowMs }) => nowMs],
	};
	const names = Object.keys(key) as [string, ...string[]];
	return { table, key: names, columns, add: addOpen(table, names) };
}

/** The later one of the time in a column, which may be NULL, and the given time. */
function laterOf(column: string): string {
	return `CASE WHEN ${column} > given.at_ms THEN ${column} ELSE given.at_ms END`;
}

/**
 * Writes what edges have open: only for accounts with such a limit, so that edges cannot fill the table. Rows are locked in
 * one order.
 */
function addOpen(table: string, key: readonly string[]): string {
	const ofGiven = key.map((column) => `given.${column}`).join(', ');
	return `INSERT INTO ${table} (${key.join(', ')}, open, at_ms)
		SELECT ${ofGiven}, given.open, given.at_ms FROM given
		JOIN usernames ON usernames.username = given.username
		JOIN accounts ON accounts.reseller = usernames.reseller AND accounts.username = usernames.username
		WHERE accounts.connections IS NOT NULL ORDER BY ${ofGiven}
		ON CONFLICT (${key.join(', ')}) DO UPDATE SET open = excluded.open, at_ms = excluded.at_ms`;
}

const OPEN_KINDS = ['open_on_edge', 'open_in_process'] as const satisfies readonly Kind[];

/** After this time, what edges said counts no more on any clock. */
const OPEN_FORGOTTEN_MS = 6 * OPEN_KNOWN_MS;

function forgetOpen(kind: Kind, leavingLocked: string, nowMs: number): SharedStatement {
	const { table, key } = writingOf(kind);
	const columns = key.join(', ');
	return {
		sql: `DELETE FROM ${table} WHERE (${columns}) IN
			(SELECT ${columns} FROM ${table} WHERE at_ms < $1 ORDER BY at_ms LIMIT 512 ${leavingLocked})`,
		values: [nowMs - OPEN_FORGOTTEN_MS],
	};
}
