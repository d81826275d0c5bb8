import { randomBytes } from 'node:crypto';
import type { EventType } from '@bursar/contract/events';
import { makeEventId } from '@bursar/contract/secret-text';
import type { EventCursor, EventLog } from '../../../domain/events/cursor.ts';
import type { LoggedEvent } from '../../../domain/events/event-text.ts';
import type { NumberedHappening } from '../../../domain/events/happening.ts';
import { JUDGING, OPERATORS, type ReadLanes } from '../../reading.ts';
import { statementOf } from '../../search.ts';
import { givenRows, type InsertedRows, type SharedStatement } from '../../statement.ts';

export interface StoredEvent extends LoggedEvent {
	readonly type: EventType;
}

/** Reads of events. Each read throws `StoreUnavailableError` if the store cannot be asked. */
export interface EventReads {
	/**
	 * What the log of a reseller has behind a place, the oldest first, as one look at the store sees it. `after` is a number: 0
	 * for the beginning. `undefined` if there is no such reseller. `owner` of the read; default: the reseller.
	 */
	readEvents(query: EventQuery): Promise<ReadLog | undefined>;
	/** The number of the newest event of each of these resellers. */
	listNewestEvents(resellers: readonly string[]): Promise<ReadonlyMap<string, number>>;
	/** Resellers whose oldest event happened before a time. Heavy. */
	listForgetful(beforeMs: number, limit: number): Promise<readonly string[]>;
}

interface EventQuery {
	readonly reseller: string;
	readonly after: EventCursor['number'];
	readonly limit: number;
	readonly owner?: string | undefined;
}

interface ReadLog extends EventLog {
	readonly events: readonly StoredEvent[];
}

/** @bound Resellers whose newest events are read at once: the next read has the rest. */
const RESELLERS_AT_ONCE = 250;

export function eventReads({ quick, heavy }: ReadLanes): EventReads {
	return {
		async readEvents({ reseller, after, limit, owner = reseller }) {
			const statement = { sql: READ_LOG, values: [reseller, after, limit] };
			const rows = (await quick({ owner, statement })) as readonly LogRow[];
			const [first] = rows;
			if (!first) return undefined;
			const { newest, oldest, idAt } = first;
			const events = rows.flatMap(({ newest: _n, oldest: _o, idAt: _i, ...event }) =>
				event.number === null ? [] : (event as StoredEvent),
			);
			return { newest, oldest: oldest ?? newest + 1, idAt, events };
		},
		async listNewestEvents(resellers) {
			const newest = new Map<string, number>();
			for (let from = 0; from < resellers.length; from += RESELLERS_AT_ONCE) {
				// The number of parameters does not change, so that an engine prepares one statement.
				const names = Array.from({ length: RESELLERS_AT_ONCE }, (_, index) => resellers[from + index] ?? '');
				const statement = statementOf(
					(bind) => `SELECT reseller, newest_event AS newest FROM accounts
						WHERE username = reseller AND reseller IN (${names.map(bind).join(', ')})`,
				);
				const rows = (await quick({ owner: OPERATORS, statement })) as readonly NewestRow[];
				for (const row of rows) newest.set(row.reseller, row.newest);
			}
			return newest;
		},
		async listForgetful(beforeMs, limit) {
			const statement = { sql: FORGETFUL, values: [beforeMs, limit] };
			const rows = (await heavy({ owner: JUDGING, statement })) as readonly { readonly reseller: string }[];
			return rows.map(({ reseller }) => reseller);
		},
	};
}

interface NewestRow {
	readonly reseller: string;
	readonly newest: number;
}

type LogRow = Omit<StoredEvent, 'number'> & {
	/** `null`, as all of the event, if there is none. */
	readonly number: number | null;
	readonly newest: number;
	readonly oldest: number | null;
	readonly idAt: string | null;
};

/** The columns of a `StoredEvent`, for both engines. */
const EVENT_COLUMNS = `number, id, type, at_ms AS "atMs", username, data, request_id AS "requestId",
	change_id AS "changeId"`;

const READ_LOG = `SELECT own.newest_event AS newest,
		(SELECT min(number) FROM events WHERE events.reseller = $1) AS oldest,
		(SELECT id FROM events WHERE events.reseller = $1 AND number = $2) AS "idAt", event.*
	FROM accounts AS own LEFT JOIN (
		SELECT ${EVENT_COLUMNS} FROM events WHERE reseller = $1 AND number > $2 ORDER BY number LIMIT $3) AS event ON true
	WHERE own.reseller = $1 AND own.username = $1 ORDER BY event.number`;

/** Finds the next reseller by looking behind the previous one. So the events in between are not read. */
const FORGETFUL = `WITH RECURSIVE found (name) AS (
		SELECT min(reseller) FROM events
		UNION ALL
		SELECT (SELECT min(reseller) FROM events WHERE reseller > found.name) FROM found WHERE name IS NOT NULL)
	SELECT name AS reseller FROM found
	WHERE (SELECT at_ms FROM events WHERE events.reseller = found.name ORDER BY number LIMIT 1) < $1 LIMIT $2`;

/** Writes events, and the number of the newest one of each reseller. The accounts of the resellers are locked. */
export function addingEvents(events: readonly NumberedHappening[]): readonly (InsertedRows | SharedStatement)[] {
	if (events.length === 0) return [];
	const newest = new Map(events.map(({ number, happening }) => [happening.reseller, number]));
	return [
		{
			into: 'events',
			rows: givenRows(events, {
				reseller: ['text', ({ happening }) => happening.reseller],
				number: ['bigint', ({ number }) => number],
				id: ['text', () => makeEventId(randomBytes)],
				type: ['text', ({ happening }) => happening.type],
				at_ms: ['bigint', ({ happening }) => happening.atMs],
				username: ['text', ({ happening }) => happening.username ?? null],
				data: ['text', ({ happening }) => JSON.stringify(happening.data)],
				request_id: ['text', ({ happening }) => happening.cause.requestId ?? null],
				change_id: ['text', ({ happening }) => happening.cause.changeId ?? null],
			}),
		},
		...Array.from(newest, ([reseller, number]): SharedStatement => {
			const sql = 'UPDATE accounts SET newest_event = $1 WHERE reseller = $2 AND username = $2';
			return { sql, values: [number, reseller], rows: 1 };
		}),
	];
}

/**
 * About a millisecond.
 * @bound Old events of a reseller that one command forgets: the next command goes on.
 */
const FORGOTTEN_AT_ONCE = 500;

/**
 * Forgets the oldest events of resellers that happened before a time. It stops at the first one that did not, because a clock
 * that was set back may have written older ones behind it, and a log has no gap.
 */
export function forgettingEvents(
	forgotten: readonly { readonly reseller: string; readonly beforeMs: number }[],
): readonly SharedStatement[] {
	return forgotten.map(({ reseller, beforeMs }) => ({
		sql: `DELETE FROM events WHERE reseller = $1 AND number < (
			SELECT COALESCE(min(CASE WHEN at_ms >= $2 THEN number END), max(number) + 1) FROM (
				SELECT number, at_ms FROM events WHERE reseller = $1 ORDER BY number LIMIT ${FORGOTTEN_AT_ONCE}) AS oldest)`,
		values: [reseller, beforeMs],
	}));
}
