import type { SubUserState } from '../../domain/terms.ts';
import type { Bytes } from '../../domain/usage.ts';
import type { SharedStatement } from '../people/person-rows.ts';
import { mayMatch, type NameRange, rangeCondition } from './name-range.ts';
import type { ReadLanes } from './read-lanes.ts';
import { filesOf } from './read-owners.ts';
import { type Bind, statementOf } from './row-search.ts';
import type {
	InState,
	ListedAccount,
	NameSearch,
	SortedAccount,
	SubUserQuery,
	SubUserReads,
	SubUsersWithUsageQuery,
	UsageSpan,
} from './sub-user-reads.ts';

/** How many accounts one statement adds up. */
const SUMMED_AT_ONCE = 50;

/** The columns of a `ListedAccount`. */
export const LISTED = `username, balance_cents AS "balanceCents", created_at_ms AS "createdAtMs",
	suspended_at_ms AS "suspendedAtMs", expires_at_ms AS "expiresAtMs"`;

/** The reads of sub-users, for any engine. Those that follow an index are quick. */
export function sharedSubUserReads(lanes: ReadLanes): SubUserReads {
	const read = async <Row>(lane: keyof ReadLanes, owner: string, statement: SharedStatement) =>
		(await lanes[lane]({ owner, statement })) as readonly Row[];

	return {
		async listSubUsersBy(query) {
			if (!mayMatch(query.search.text)) return [];
			const isAny = query.search.match === 'beginning' || query.search.text === '';
			const isQuick = query.by === 'name' && isAny && !query.inState;
			const { owner = query.reseller } = query;
			return read<SortedAccount>(isQuick ? 'quick' : 'heavy', owner, listSubUsers(query));
		},
		async countSubUsers(reseller, search, inState) {
			if (!mayMatch(search.text)) return 0;
			const statement = countSubUsers(reseller, search, inState);
			const [row] = await read<{ readonly count: number }>('heavy', reseller, statement);
			return row?.count ?? 0;
		},
		async countSubUsersBefore(query) {
			if (!mayMatch(query.search.text)) return 0;
			const [row] = await read<{ readonly count: number }>('heavy', query.reseller, countSubUsersBefore(query));
			return row?.count ?? 0;
		},
		async countSubUserStates(reseller, atMs) {
			const statement = countSubUserStates(reseller, atMs);
			const [row] = await read<Record<SubUserState, number>>('heavy', reseller, statement);
			if (!row) throw new Error('a count without groups has one row');
			return row;
		},
		async sumUsage(span) {
			const sums = new Map<string, Bytes>();
			for (let from = 0; from < span.usernames.length; from += SUMMED_AT_ONCE) {
				const usernames = span.usernames.slice(from, from + SUMMED_AT_ONCE);
				const statement = sumUsage({ ...span, usernames });
				const rows = await read<SumRow>('quick', span.reseller, statement);
				for (const { username, bytesUp, bytesDown } of rows) sums.set(username, { bytesUp, bytesDown });
			}
			return sums;
		},
		listSubUsersWithUsage: (query) =>
			read<ListedAccount & Bytes>('heavy', filesOf(query.reseller), listSubUsersWithUsage(query)),
	};
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

/** As `stateOf` says. */
function stateConditions(inState: InState | undefined, bind: Bind): readonly string[] {
	if (!inState) return [];
	const { state, atMs } = inState;
	if (state === 'suspended') return ['suspended_at_ms IS NOT NULL'];
	const isExpired = `expires_at_ms <= ${bind(atMs)}`;
	return ['suspended_at_ms IS NULL', state === 'expired' ? isExpired : `(expires_at_ms IS NULL OR NOT ${isExpired})`];
}

const SORTED = {
	name: undefined,
	balance: 'balance_cents',
	created: 'created_at_ms',
	bandwidth: 'used_bytes',
} as const;

function listSubUsers(query: SubUserQuery): SharedStatement {
	const column = SORTED[query.by];
	const direction = query.descends ? ' DESC' : '';
	return statementOf((bind) => {
		const columns = query.by === 'bandwidth' ? `${LISTED}, used_bytes AS "usedBytes"` : LISTED;
		const order = [...(column ? [column] : []), 'username'].map((each) => each + direction).join(', ');
		return `SELECT ${columns} FROM ${rowsBehind(query, bind)} ORDER BY ${order} LIMIT ${bind(query.limit)}`;
	});
}

const STATES: readonly SubUserState[] = ['active', 'suspended', 'expired'];

function countSubUserStates(reseller: string, atMs: number): SharedStatement {
	return statementOf((bind) => {
		const counts = STATES.map((state) => {
			const isIn = stateConditions({ state, atMs }, bind).join(' AND ');
			return `CAST(COALESCE(sum(CASE WHEN ${isIn} THEN 1 ELSE 0 END), 0) AS bigint) AS ${state}`;
		});
		return `SELECT ${counts.join(', ')} FROM accounts WHERE reseller = ${bind(reseller)} AND username <> reseller`;
	});
}

/** What comes before a row is what lies behind it in the other direction. */
function countSubUsersBefore(query: Omit<SubUserQuery, 'limit'>): SharedStatement {
	return statementOf(
		(bind) => `SELECT count(*) AS count FROM ${rowsBehind({ ...query, descends: !query.descends }, bind)}`,
	);
}

/** The sub-users of a list behind the row `after`. */
function rowsBehind(query: Omit<SubUserQuery, 'limit'>, bind: Bind): string {
	const { reseller, search, inState, by, descends, after } = query;
	const column = SORTED[by];
	const from = by === 'bandwidth' ? accountsWithUsage(query, bind) : 'live_accounts';
	const range = { descends, after: column ? undefined : after?.username };
	const conditions = [subUserCondition(reseller, search, range, bind), ...stateConditions(inState, bind)];
	if (after && column) {
		const isBehind = descends ? '<' : '>';
		conditions.push(`(${column}, username) ${isBehind} (${bind(after.value)}, ${bind(after.username)})`);
	}
	return `${from} WHERE ${conditions.join(' AND ')}`;
}

/** The accounts of a reseller, each with the bytes of these days. */
function accountsWithUsage({ reseller, used }: Omit<SubUserQuery, 'limit'>, bind: Bind): string {
	if (!used) throw new Error('to sort by bandwidth, its days are needed');
	return `(SELECT found.*, CAST(COALESCE(sums.bytes, 0) AS bigint) AS used_bytes FROM live_accounts AS found LEFT JOIN (
			SELECT username AS name, sum(bytes_up + bytes_down) AS bytes FROM usage_days
			WHERE reseller = ${bind(reseller)} AND day BETWEEN ${bind(used.firstDay)} AND ${bind(used.lastDay)}
			GROUP BY username) AS sums ON sums.name = found.username
		WHERE found.reseller = ${bind(reseller)}) AS listed`;
}

function countSubUsers(reseller: string, search: NameSearch, inState: InState | undefined): SharedStatement {
	return statementOf((bind) => {
		const conditions = [
			subUserCondition(reseller, search, { descends: false }, bind),
			...stateConditions(inState, bind),
		];
		return `SELECT count(*) AS count FROM accounts WHERE ${conditions.join(' AND ')}`;
	});
}

type SumRow = Bytes & { readonly username: string };

function sumUsage({ reseller, usernames, firstDay, lastDay }: UsageSpan): SharedStatement {
	// The number of parameters does not change, so that an engine prepares one statement. No account has an empty name.
	const names = Array.from({ length: SUMMED_AT_ONCE }, (_, index) => usernames[index] ?? '');
	return statementOf(
		(
			bind,
		) => `SELECT username, CAST(sum(bytes_up) AS bigint) AS "bytesUp", CAST(sum(bytes_down) AS bigint) AS "bytesDown"
			FROM usage_days WHERE reseller = ${bind(reseller)} AND username IN (${names.map(bind).join(', ')})
			AND day BETWEEN ${bind(firstDay)} AND ${bind(lastDay)} GROUP BY username`,
	);
}

function listSubUsersWithUsage(query: SubUsersWithUsageQuery): SharedStatement {
	const { reseller, after, firstDay, lastDay, limit } = query;
	return statementOf((bind) => {
		const used = (column: string) => `COALESCE((SELECT CAST(sum(${column}) AS bigint) FROM usage_days
			WHERE usage_days.reseller = page.reseller AND usage_days.username = page.username
			AND day BETWEEN ${bind(firstDay)} AND ${bind(lastDay)}), 0)`;
		return `SELECT ${LISTED}, ${used('bytes_up')} AS "bytesUp", ${used('bytes_down')} AS "bytesDown"
			FROM (SELECT * FROM live_accounts WHERE reseller = ${bind(reseller)} AND username > ${bind(after)}
				AND username <> reseller ORDER BY username LIMIT ${bind(limit)}) AS page
			ORDER BY username`;
	});
}
