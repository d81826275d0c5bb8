import { PAIR_STATES, type PairState } from '@bursar/contract/sub-user-terms';
import type { Account } from '../../../domain/account.ts';
import type { Bytes } from '../../../domain/usage.ts';
import type { ReadLanes } from '../../reading.ts';
import { filesOf } from '../../reading.ts';
import { type Bind, statementOf } from '../../search.ts';
import type { SharedStatement } from '../../statement.ts';
import { type NamedReads, namedReads, type UsageSpan } from './named-accounts.ts';
import { anywhere, hasInNote, mayMatch, type NameRange, rangeCondition } from './names.ts';
import { type FindingPairs, pairState } from './pair.ts';
import { TERMS_COLUMNS, type TermsRow, termsOf } from './terms.ts';
import type { StoredDetails } from './terms-reads.ts';

/**
 * What the dashboard reads about the sub-users of a reseller. Each read throws `StoreUnavailableError` if the store
 * cannot be asked. Resellers take turns. The lane of each read depends on its statement (decision 0001).
 */
export interface SubUserReads extends NamedReads {
	/** A page of a reseller's sub-users. */
	listSubUsersBy(query: SubUserQuery): Promise<readonly SortedAccount[]>;
	countSubUsers(reseller: string, search: NameSearch, inState?: InState): Promise<number>;
	/** How many of a list come before the row `after`, in its order. */
	countSubUsersBefore(query: Omit<SubUserQuery, 'limit'>): Promise<number>;
	/** How many sub-users of the reseller are in each state. `atMs` is now, in Unix milliseconds. */
	countSubUserStates(reseller: string, atMs: number): Promise<Readonly<Record<PairState, number>>>;
	/** A page of all sub-users by name, with their terms, and what each used from `firstDay` to `lastDay`. For files. */
	listSubUsersWithUsage(query: SubUsersWithUsageQuery): Promise<readonly SubUserOfFile[]>;
}

export type ListedAccount = Pick<Account, 'username' | 'balanceCents' | 'createdAtMs'>;

type NotedAccount = ListedAccount & {
	/** `null`: none. */
	readonly note: string | null;
};

type SubUserOfFile = ListedAccount & Bytes & Pick<StoredDetails, 'terms'>;

/** With its bandwidth, if the list is sorted by it. */
export type SortedAccount = NotedAccount & { readonly usedBytes?: number };

/** `''`: all. */
export interface NameSearch {
	readonly text: string;
	readonly match: 'beginning' | 'anywhere' | 'name_or_note';
}

/** Those that have a state at a time, in Unix milliseconds. `refused`: any but `active`. */
interface InState {
	readonly state: PairState | 'refused';
	readonly atMs: number;
}

export interface SubUserQuery {
	readonly reseller: string;
	readonly search: NameSearch;
	/** Absent: in any state. */
	readonly inState?: InState | undefined;
	readonly by: 'name' | 'balance' | 'created' | 'bandwidth';
	/** The days whose bandwidth counts, up and down together. Needed to sort by it. */
	readonly used?: Pick<UsageSpan, 'firstDay' | 'lastDay'> | undefined;
	readonly descends: boolean;
	/** `undefined` for the first page. */
	readonly after?: RowPosition | undefined;
	readonly limit: number;
	/** The owner of the read. Default: the reseller. */
	readonly owner?: string | undefined;
}

/** The last row before a page, in the order of its list. Names make the order unique. */
export interface RowPosition {
	readonly username: string;
	/** The value that the list is sorted by; not used if the list is sorted by name. */
	readonly value: number;
}

interface SubUsersWithUsageQuery extends Omit<UsageSpan, 'usernames' | 'owner'> {
	readonly limit: number;
	/** `''` for the first page. */
	readonly after: string;
}

/** The columns of a `ListedAccount`. */
export const LISTED = 'username, balance_cents AS "balanceCents", created_at_ms AS "createdAtMs"';

/** The reads of sub-users, for any engine. Those that follow an index are quick. */
export function subUserReads(lanes: ReadLanes, findingPairs: FindingPairs): SubUserReads {
	const read = async <Row>(lane: keyof ReadLanes, owner: string, statement: SharedStatement) =>
		(await lanes[lane]({ owner, statement })) as readonly Row[];

	return {
		...namedReads(lanes, findingPairs),
		async listSubUsersBy(query) {
			if (!isSearchable(query.search)) return [];
			const isQuick =
				query.by === 'name' && !isAnywhere(query.search) && !query.inState && query.limit <= MOST_QUICK_ROWS;
			const { owner = query.reseller } = query;
			return read<SortedAccount>(isQuick ? 'quick' : 'heavy', owner, listSubUsers(query));
		},
		async countSubUsers(reseller, search, inState) {
			if (!isSearchable(search)) return 0;
			const statement = countSubUsers({ reseller, search, inState });
			const [row] = await read<{ readonly count: number }>('heavy', reseller, statement);
			return row?.count ?? 0;
		},
		async countSubUsersBefore(query) {
			if (!isSearchable(query.search)) return 0;
			const [row] = await read<{ readonly count: number }>('heavy', query.reseller, countSubUsersBefore(query));
			return row?.count ?? 0;
		},
		async countSubUserStates(reseller, atMs) {
			const statement = countSubUserStates(reseller, atMs);
			const rows = await read<{ readonly state: PairState; readonly count: number }>('heavy', reseller, statement);
			const none = Object.fromEntries(PAIR_STATES.map((state) => [state, 0])) as Record<PairState, number>;
			return { ...none, ...Object.fromEntries(rows.map(({ state, count }) => [state, count])) };
		},
		async listSubUsersWithUsage(query) {
			const statement = listSubUsersWithUsage(query);
			const rows = await read<ListedAccount & Bytes & TermsRow>('heavy', filesOf(query.reseller), statement);
			return rows.map(({ username, balanceCents, createdAtMs, bytesUp, bytesDown, ...terms }) => ({
				...{ username, balanceCents, createdAtMs, bytesUp, bytesDown },
				terms: termsOf(terms),
			}));
		},
	};
}

/** Whether an account can have the text. Notes have any characters. */
function isSearchable({ text, match }: NameSearch): boolean {
	return match === 'name_or_note' || mayMatch(text);
}

function isAnywhere({ text, match }: NameSearch): boolean {
	return match !== 'beginning' && text !== '';
}

interface FoundSubUsers {
	readonly reseller: string;
	readonly search: NameSearch;
	readonly inState?: InState | undefined;
}

function subUserConditions(
	{ reseller, search, inState }: FoundSubUsers,
	range: Omit<NameRange, 'prefix'>,
	bind: Bind,
): string[] {
	const { text, match } = search;
	const own = bind(reseller);
	const inName = () => `username LIKE ${bind(anywhere(text))} ESCAPE '!'`;
	return [
		`reseller = ${own} AND username <> reseller`,
		rangeCondition('username', { ...range, prefix: isAnywhere(search) ? '' : text }, bind),
		...(isAnywhere(search) ? [match === 'anywhere' ? inName() : `(${inName()} OR ${hasInNote(text, bind)})`] : []),
		...(inState ? [isInState(inState, own, bind)] : []),
	];
}

function isInState({ state, atMs }: InState, reseller: string, bind: Bind): string {
	if (state === 'refused') return `${pairState({ reseller, atMs }, bind)} <> 'active'`;
	return `${pairState({ reseller, atMs }, bind, state)} = ${bind(state)}`;
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
		const columns = query.by === 'bandwidth' ? `${LISTED}, note, used_bytes AS "usedBytes"` : `${LISTED}, note`;
		const order = [...(column ? [column] : []), 'username'].map((each) => each + direction).join(', ');
		return `SELECT ${columns} FROM ${rowsBehind(query, bind)} ORDER BY ${order} LIMIT ${bind(query.limit)}`;
	});
}

function countSubUserStates(reseller: string, atMs: number): SharedStatement {
	return statementOf((bind) => {
		const own = bind(reseller);
		return `SELECT state, count(*) AS count FROM (SELECT ${pairState({ reseller: own, atMs }, bind)} AS state
			FROM live_accounts AS account WHERE reseller = ${own} AND username <> reseller) AS listed GROUP BY state`;
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
	const { by, descends, after } = query;
	const column = SORTED[by];
	const from = by === 'bandwidth' ? accountsWithUsage(query, bind) : 'live_accounts AS account';
	const range = { descends, after: column ? undefined : after?.username };
	const conditions = subUserConditions(query, range, bind);
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
		WHERE found.reseller = ${bind(reseller)}) AS account`;
}

function countSubUsers(found: FoundSubUsers): SharedStatement {
	return statementOf((bind) => {
		const conditions = subUserConditions(found, { descends: false }, bind);
		return `SELECT count(*) AS count FROM live_accounts AS account WHERE ${conditions.join(' AND ')}`;
	});
}

/** More rows take longer than a quick read may. */
const MOST_QUICK_ROWS = 1_000;

function listSubUsersWithUsage(query: SubUsersWithUsageQuery): SharedStatement {
	const { reseller, after, firstDay, lastDay, limit } = query;
	return statementOf((bind) => {
		const used = (column: string) => `COALESCE((SELECT CAST(sum(${column}) AS bigint) FROM usage_days
			WHERE usage_days.reseller = page.reseller AND usage_days.username = page.username
			AND day BETWEEN ${bind(firstDay)} AND ${bind(lastDay)}), 0)`;
		return `SELECT ${LISTED}, ${TERMS_COLUMNS}, ${used('bytes_up')} AS "bytesUp", ${used('bytes_down')} AS "bytesDown"
			FROM (SELECT * FROM live_accounts WHERE reseller = ${bind(reseller)} AND username > ${bind(after)}
				AND username <> reseller ORDER BY username LIMIT ${bind(limit)}) AS page
			ORDER BY username`;
	});
}
