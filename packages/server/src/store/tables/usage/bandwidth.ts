import type { Bytes } from '../../../domain/usage.ts';
import { ALL_RESELLERS, HOURS_KEPT } from '../../../domain/usage-hours.ts';
import type { ReadLanes } from '../../reading.ts';
import { type Bind, statementOf } from '../../search.ts';
import type { SharedStatement } from '../../statement.ts';
import { COSTS, SUM, sumOf } from '../meters/costs.ts';

/**
 * What the dashboard's charts of bandwidth read. Each read throws `StoreUnavailableError` if the store cannot be asked.
 * Those of the whole network and of parts are heavy (decision 0001).
 */
export interface BandwidthReads {
	/** Since when hours and edges are written, in Unix milliseconds. 0: since the first report. */
	findHoursSince(owner: string): Promise<number>;
	/** What was used in each hour or day, the oldest first. Those without usage are missing. */
	listBandwidth(query: BandwidthQuery): Promise<readonly BandwidthOfSpan[]>;
	/** The same of each of those that used most, up and down together. */
	listBandwidthParts(query: BandwidthPartsQuery): Promise<readonly BandwidthOfPart[]>;
	/** The sub-users that used most, of a reseller or of all, and what all accounts used, at one time. */
	readTopOfBandwidth(query: BandwidthTopQuery): Promise<TopOfBandwidth>;
}

/** UTC hours or days, in hours or days since 1970-01-01. Hours are kept from `firstKeptHour` on. */
export interface BandwidthSpans {
	readonly unit: 'hour' | 'day';
	readonly first: number;
	readonly last: number;
}

/** Of all resellers if no reseller is given, of one of its accounts if a username is, or what an edge reported. */
export interface BandwidthQuery extends BandwidthSpans {
	readonly reseller?: string | undefined;
	readonly username?: string | undefined;
	readonly edge?: string | undefined;
	/** The owner of the read. */
	readonly owner: string;
}

/** Sub-users of a reseller, edges for a reseller or for all, or all resellers. */
export interface BandwidthPartsQuery extends BandwidthSpans {
	readonly reseller?: string | undefined;
	readonly by: 'sub_user' | 'edge' | 'reseller';
	/** How many of those that used most. */
	readonly limit: number;
	/** The owner of the read. */
	readonly owner: string;
}

export type BandwidthTopQuery = Omit<BandwidthPartsQuery, 'by'>;

export interface TopOfBandwidth {
	/** The largest first. Deleted ones are among them. */
	readonly subUsers: readonly (BandwidthCost & { readonly reseller: string; readonly username: string })[];
	/** All together, with the resellers' own accounts. `subUsers`: how many sub-users used something. */
	readonly all: BandwidthCost & { readonly subUsers: number };
}

interface BandwidthCost extends Bytes {
	/** USD cents, as `COSTS` has them; `null` for hours. */
	readonly costCents: number | null;
}

export interface BandwidthOfSpan extends Bytes {
	/** The hour or the day. */
	readonly span: number;
}

export interface BandwidthOfPart extends BandwidthOfSpan {
	/** The sub-user, the edge or the reseller. */
	readonly name: string;
}

const HOURS_SINCE = 'usage_hours_since_ms';

/** The reads of the charts, for any engine. */
export function bandwidthReads({ quick, heavy }: ReadLanes): BandwidthReads {
	return {
		async findHoursSince(owner) {
			const statement = { sql: 'SELECT value FROM meta WHERE name = $1', values: [HOURS_SINCE] };
			const [row] = (await quick({ owner, statement })) as readonly { readonly value: string }[];
			if (!row) throw new Error('the store has lost since when it knows hours: restore a backup');
			return Number(row.value);
		},
		async listBandwidth(query) {
			const isQuick = query.reseller !== undefined || query.edge !== undefined;
			const lane = isQuick ? quick : heavy;
			return (await lane({ owner: query.owner, statement: listBandwidth(query) })) as readonly BandwidthOfSpan[];
		},
		async listBandwidthParts(query) {
			return (await heavy({ owner: query.owner, statement: listParts(query) })) as readonly BandwidthOfPart[];
		},
		async readTopOfBandwidth(query) {
			const rows = (await heavy({ owner: query.owner, statement: findTop(query) })) as readonly TopRow[];
			const subUsers = rows.flatMap(({ reseller, username, subUsers: _, ...used }) =>
				reseller === null || username === null ? [] : { reseller, username, ...used },
			);
			const all = rows.find(({ username }) => username === null);
			if (!all) throw new Error('the sum of all has no row');
			const { reseller: _reseller, username: _username, ...used } = all;
			return { subUsers, all: used };
		},
	};
}

const BYTES = 'CAST(sum(bytes_up) AS bigint) AS "bytesUp", CAST(sum(bytes_down) AS bigint) AS "bytesDown"';

function listBandwidth({ reseller, username, edge, ...spans }: BandwidthQuery): SharedStatement {
	const { unit } = spans;
	return statementOf((bind) => {
		const conditions = [];
		if (username !== undefined) conditions.push(`username = ${bind(username)}`);
		if (edge !== undefined) conditions.push(`edge = ${bind(edge)}`);
		const of = username !== undefined ? 'sub_user' : edge === undefined ? 'reseller' : 'edge';
		return `SELECT ${unit} AS span, ${BYTES} FROM ${TABLES[unit][of]}
			WHERE ${[inSpans(of, reseller, spans, bind), ...conditions].join(' AND ')} GROUP BY ${unit} ORDER BY ${unit}`;
	});
}

function listParts({ reseller, by, limit, ...spans }: BandwidthPartsQuery): SharedStatement {
	const { unit } = spans;
	const name = NAMES[by];
	return statementOf((bind) => {
		const isIn = inSpans(by, reseller, spans, bind);
		const rows = `${TABLES[unit][by]} WHERE ${isIn}${by === 'sub_user' ? ' AND username <> reseller' : ''}`;
		return `SELECT ${name} AS name, ${unit} AS span, ${BYTES} FROM ${rows} AND ${name} IN (
				SELECT ${name} FROM ${rows} GROUP BY ${name} ORDER BY sum(bytes_up + bytes_down) DESC, ${name} LIMIT ${bind(limit)})
			GROUP BY ${name}, ${unit} ORDER BY ${name}, ${unit}`;
	});
}

interface TopRow extends BandwidthCost {
	/** Both are `null` for the sum of all. */
	readonly reseller: string | null;
	readonly username: string | null;
	readonly subUsers: number;
}

/** Those that used most, and the sum of all in a row without a name. One statement, so that they are of the same time. */
function findTop({ reseller, limit, ...spans }: BandwidthTopQuery): SharedStatement {
	return statementOf((bind) => {
		const rows = `${TABLES[spans.unit].sub_user} WHERE ${inSpans('sub_user', reseller, spans, bind)}`;
		const cost = (days: (upToLast: string) => string) =>
			spans.unit === 'day'
				? `(SELECT ${SUM} FROM ${days(`day <= ${bind(spans.last)}`)} WHERE day >= ${bind(spans.first)})`
				: 'CAST(NULL AS bigint)';
		const ofTop = 'reseller = top.reseller AND username = top.username';
		// Bound only where it stands: PostgreSQL refuses a parameter that no part of the statement uses.
		const ofAll = () => (reseller === undefined ? '' : ` AND reseller = ${bind(reseller)}`);
		return `WITH used AS (
				SELECT reseller, username, ${sumOf('bytes_up')} AS up, ${sumOf('bytes_down')} AS down
				FROM ${rows} GROUP BY reseller, username)
			SELECT reseller, username, up AS "bytesUp", down AS "bytesDown",
				${cost((upToLast) => COSTS.account(`${ofTop} AND ${upToLast}`))} AS "costCents", 0 AS "subUsers"
			FROM (SELECT * FROM used WHERE username <> reseller
				ORDER BY up + down DESC, username LIMIT ${bind(limit)}) AS top
			UNION ALL SELECT NULL, NULL, ${sumOf('up')}, ${sumOf('down')},
				${cost((upToLast) => COSTS.reseller(`${upToLast}${ofAll()}`))},
				${sumOf('CASE WHEN username <> reseller THEN 1 ELSE 0 END')} FROM used`;
	});
}

type Of = BandwidthPartsQuery['by'];

const TABLES: Readonly<Record<BandwidthSpans['unit'], Readonly<Record<Of, string>>>> = {
	day: { sub_user: 'usage_days', edge: 'usage_edge_days', reseller: 'usage_reseller_days' },
	hour: { sub_user: 'usage_hours', edge: 'usage_edge_hours', reseller: 'usage_reseller_hours' },
};

const NAMES = { sub_user: 'username', edge: 'edge', reseller: 'reseller' } as const;

/** The rows of these hours or days, of the reseller or of all. */
function inSpans(of: Of, reseller: string | undefined, { unit, first, last }: BandwidthSpans, bind: Bind): string {
	const owner = reseller ?? (of === 'edge' ? ALL_RESELLERS : undefined);
	if (owner === undefined) return `${unit} BETWEEN ${bind(first)} AND ${bind(last)}`;
	if (unit === 'day') return `reseller = ${bind(owner)} AND day BETWEEN ${bind(first)} AND ${bind(last)}`;
	// Hours come first in the keys. Each is looked up, so the rows of other resellers are not read. The number of
	// parameters does not change, so that an engine prepares one statement.
	const hours = Array.from({ length: HOURS_KEPT }, (_, index) => Math.min(first + index, last));
	return `reseller = ${bind(owner)} AND hour IN (${hours.map(bind).join(', ')})`;
}
