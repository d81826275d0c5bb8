import type { Bytes } from '../domain/usage.ts';
import { MOVEMENTS_IN_A_STEP } from './business-reads.ts';
import { findMovements } from './movement-search.ts';
import type { SharedStatement } from './person-rows.ts';
import { OPERATORS, type ReadLanes } from './read-lanes.ts';
import type {
	ListedAccount,
	ListedResellerRow,
	NameSearch,
	ReportReads,
	ResellerQuery,
	SubUserQuery,
	SubUsersWithUsageQuery,
	TopQuery,
} from './report-reads.ts';
import { type Bind, statementOf } from './row-search.ts';

const LISTED = 'username, balance_cents AS "balanceCents", created_at_ms AS "createdAtMs"';

/** The heavy reads of the business pages, for any engine. Those that follow an index are quick. */
export function sharedReportReads(lanes: ReadLanes): ReportReads {
	const read = async <Row>(lane: keyof ReadLanes, owner: string, statement: SharedStatement) =>
		(await lanes[lane]({ owner, statement })) as readonly Row[];

	return {
		async listSubUsersBy(query) {
			if (!mayMatch(query.search.text)) return [];
			const isQuick = query.by === 'name' && (query.search.match === 'beginning' || query.search.text === '');
			return read<ListedAccount>(isQuick ? 'quick' : 'heavy', query.reseller, listSubUsers(query));
		},
		async countSubUsers(reseller, search) {
			if (!mayMatch(search.text)) return 0;
			const statement = countSubUsers(reseller, search);
			const [row] = await read<{ readonly count: number }>('heavy', reseller, statement);
			return row?.count ?? 0;
		},
		listTopSubUsers: (query) =>
			read<Bytes & { readonly username: string }>('heavy', query.reseller, listTopSubUsers(query)),
		listSubUsersWithUsage: (query) =>
			read<ListedAccount & Bytes>('heavy', query.reseller, listSubUsersWithUsage(query)),
		async listMovementsAfter(query) {
			const step = MOVEMENTS_IN_A_STEP;
			const heavyOnly = { quick: lanes.heavy, heavy: lanes.heavy };
			const { rows, next } = await findMovements(heavyOnly, { ...query, descends: false, step });
			return { rows, nextAfter: next?.number ?? null };
		},
		async listResellersBy(query) {
			if (!mayMatch(query.search)) return [];
			return read<ListedResellerRow>('quick', OPERATORS, listResellers(query));
		},
	};
}

/** Whether the text may be a part of a name. Other characters mean something to `LIKE`, or nothing to an engine. */
function mayMatch(text: string): boolean {
	return /^[a-z0-9._]*$/.test(text);
}

/** Comes after every character of a name. */
const AFTER_ALL = '~';

/** Which names come next. An engine follows an index from one bound of each kind only, so there is never a second one. */
interface NameRange {
	/** The names begin with it. */
	readonly prefix: string;
	readonly descends: boolean;
	/** The name before the page. */
	readonly after?: string | undefined;
}

function rangeCondition(column: string, { prefix, descends, after }: NameRange, bind: Bind): string {
	const end = prefix + AFTER_ALL;
	if (descends)
		return `${column} >= ${bind(prefix)} AND ${column} < ${bind(after !== undefined && after < end ? after : end)}`;
	const isBehind = after !== undefined && after >= prefix ? `> ${bind(after)}` : `>= ${bind(prefix)}`;
	return `${column} ${isBehind} AND ${column} < ${bind(end)}`;
}

function subUserCondition(
	reseller: string,
	{ text, match }: NameSearch,
	range: Omit<NameRange, 'prefix'>,
	bind: Bind,
): string {
	const isAnywhere = match === 'anywhere' && text !== '';
	const conditions = [
		`reseller = ${bind(reseller)} AND username <> reseller`,
		rangeCondition('username', { ...range, prefix: isAnywhere ? '' : text }, bind),
		...(isAnywhere ? [`username LIKE ${bind(`%${text.replaceAll('_', '!_')}%`)} ESCAPE '!'`] : []),
	];
	return conditions.join(' AND ');
}

const SORTED = { name: undefined, balance: 'balance_cents', created: 'created_at_ms' } as const;

function listSubUsers({ reseller, search, by, descends, after, limit }: SubUserQuery): SharedStatement {
	const column = SORTED[by];
	const [isBehind, direction] = descends ? ['<', ' DESC'] : ['>', ''];
	return statementOf((bind) => {
		const range = { descends, after: column ? undefined : after?.username };
		const conditions = [subUserCondition(reseller, search, range, bind)];
		if (after && column) {
			conditions.push(`(${column}, username) ${isBehind} (${bind(after.value)}, ${bind(after.username)})`);
		}
		const order = [...(column ? [column] : []), 'username'].map((each) => each + direction).join(', ');
		return `SELECT ${LISTED} FROM accounts WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT ${bind(limit)}`;
	});
}

function countSubUsers(reseller: string, search: NameSearch): SharedStatement {
	return statementOf(
		(bind) =>
			`SELECT count(*) AS count FROM accounts WHERE ${subUserCondition(reseller, search, { descends: false }, bind)}`,
	);
}

const SUMS = 'CAST(sum(bytes_up) AS bigint) AS "bytesUp", CAST(sum(bytes_down) AS bigint) AS "bytesDown"';

function listTopSubUsers({ reseller, firstDay, lastDay, limit }: TopQuery): SharedStatement {
	return statementOf(
		(bind) => `SELECT username, ${SUMS} FROM usage_days
			WHERE reseller = ${bind(reseller)} AND username <> reseller AND day BETWEEN ${bind(firstDay)} AND ${bind(lastDay)}
			GROUP BY username ORDER BY sum(bytes_up + bytes_down) DESC, username LIMIT ${bind(limit)}`,
	);
}

function listSubUsersWithUsage(query: SubUsersWithUsageQuery): SharedStatement {
	const { reseller, after, firstDay, lastDay, limit } = query;
	return statementOf((bind) => {
		const used = (column: string) => `COALESCE((SELECT CAST(sum(${column}) AS bigint) FROM usage_days
			WHERE usage_days.reseller = page.reseller AND usage_days.username = page.username
			AND day BETWEEN ${bind(firstDay)} AND ${bind(lastDay)}), 0)`;
		return `SELECT ${LISTED}, ${used('bytes_up')} AS "bytesUp", ${used('bytes_down')} AS "bytesDown"
			FROM (SELECT * FROM accounts WHERE reseller = ${bind(reseller)} AND username > ${bind(after)}
				AND username <> reseller ORDER BY username LIMIT ${bind(limit)}) AS page
			ORDER BY username`;
	});
}

/** Finds the next reseller by looking behind the previous one. So the sub-users in between are not read. */
function listResellers({ search, descends, after, limit }: ResellerQuery): SharedStatement {
	const direction = descends ? ' DESC' : '';
	return statementOf((bind) => {
		const first = (range: string) =>
			`(SELECT reseller FROM accounts WHERE ${range} ORDER BY reseller${direction} LIMIT 1)`;
		const following = descends
			? `reseller >= ${bind(search)} AND reseller < found.name`
			: `reseller > found.name AND reseller < ${bind(search + AFTER_ALL)}`;
		return `WITH RECURSIVE found (name, rank) AS (
				SELECT ${first(rangeCondition('reseller', { prefix: search, descends, after }, bind))}, 1
				UNION ALL
				SELECT ${first(following)}, rank + 1 FROM found WHERE name IS NOT NULL AND rank < ${bind(limit)})
			SELECT ${LISTED}, (SELECT max(last_used_at_ms) FROM tokens WHERE tokens.reseller = found.name) AS "lastUsedAtMs"
			FROM found JOIN accounts ON accounts.reseller = found.name AND accounts.username = found.name
			ORDER BY username${direction}`;
	});
}
