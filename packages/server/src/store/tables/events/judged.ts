import { type JudgedAccount, judge, type Telling, type ToJudge } from '../../../domain/events/judging.ts';
import { JUDGING, type ReadLanes } from '../../reading.ts';
import { type Bind, statementOf } from '../../search.ts';
import { givenRows, type RowsRead, type SharedStatement } from '../../statement.ts';
import { type AccountName, accountNames } from '../accounts/account.ts';
import { boundsOf, type FindingPairs, type PairRow } from '../accounts/pair.ts';

/**
 * Accounts of which their resellers may have to be told something that no command brings about. Each read is heavy, and
 * throws `StoreUnavailableError` if the store cannot be asked. Pages are sorted by reseller and username.
 */
export interface JudgingReads {
	/** Those of these accounts (250 at most) that have a limit of bytes. `atMs` is now, in Unix milliseconds. */
	findLimited(usernames: readonly string[], atMs: number): Promise<readonly JudgedAccount[]>;
	/** A page of all sub-users that have a limit of bytes. */
	listLimited(page: JudgingPage): Promise<readonly JudgedAccount[]>;
	/**
	 * Sub-users that have ended by now, and whose resellers were not told that they are unusable for it; and those that have
	 * not, and whose resellers were told so before the clock was set back.
	 */
	listEnded(atMs: number, limit: number): Promise<readonly JudgedAccount[]>;
	/** A page of the resellers that want a warning of a low balance. */
	listWarned(page: JudgingPage): Promise<readonly JudgedAccount[]>;
	/** A page of the sub-users of a reseller. */
	listSubUsersToJudge(page: JudgingPage & { readonly reseller: string }): Promise<readonly JudgedAccount[]>;
	/** The prices at which not all sub-users of their resellers were judged yet. */
	listUnjudgedPrices(): Promise<readonly { readonly reseller: string; readonly price: number }[]>;
}

interface JudgingPage {
	/** Now, in Unix milliseconds. */
	readonly atMs: number;
	/** The last account of the previous page. */
	readonly after: AccountName | undefined;
	readonly limit: number;
}

/** How many accounts `findLimited` takes. */
const NAMES_AT_ONCE = 250;
const HAS_LIMIT = '(day_bytes IS NOT NULL OR month_bytes IS NOT NULL OR total_bytes IS NOT NULL)';
/** As the index `accounts_to_end` says. */
const IS_TO_END = `expires_at_ms IS NOT NULL AND (told_reason IS NULL OR told_reason NOT IN ('suspended', 'expired'))`;
/** @bound Resellers whose price was changed, and whose sub-users are judged in one look: the next look has the rest. */
const RESELLERS_AT_ONCE = 100;

export function judgingReads({ heavy }: ReadLanes, findingPairs: FindingPairs): JudgingReads {
	/** `finding`: a query of `ToldRow`, in the order of the page. */
	async function read(atMs: number, finding: (bind: Bind) => string): Promise<readonly JudgedAccount[]> {
		const found = (await heavy({ owner: JUDGING, statement: statementOf(finding) })) as readonly ToldRow[];
		if (found.length === 0) return [];
		const names = found.map(({ username }) => username);
		const pairs = (await heavy({ owner: JUDGING, statement: findingPairs(names, atMs) })) as readonly PairRow[];
		return judgedAccounts(found, pairs);
	}

	const onPage = ({ after, limit }: JudgingPage, bind: Bind) =>
		`${after ? `AND (reseller, username) > (${bind(after.reseller)}, ${bind(after.username)})` : ''}
			ORDER BY reseller, username LIMIT ${bind(limit)}`;

	return {
		findLimited(usernames, atMs) {
			// The number of parameters does not change, so that an engine prepares one statement. No account has an empty name.
			const names = Array.from({ length: NAMES_AT_ONCE }, (_, index) => usernames[index] ?? '');
			return read(
				atMs,
				(bind) => `SELECT ${TOLD} FROM usernames JOIN accounts USING (reseller, username)
					WHERE usernames.username IN (${names.map(bind).join(', ')}) AND ${HAS_LIMIT}`,
			);
		},
		listLimited: (page) =>
			read(page.atMs, (bind) => `SELECT ${TOLD} FROM accounts WHERE ${HAS_LIMIT} ${onPage(page, bind)}`),
		listEnded: (atMs, limit) =>
			read(
				atMs,
				(bind) => `SELECT * FROM (SELECT ${TOLD} FROM accounts WHERE ${IS_TO_END} AND expires_at_ms <= ${bind(atMs)}
						ORDER BY expires_at_ms, reseller, username LIMIT ${bind(limit)}) AS ended
					UNION ALL SELECT * FROM (SELECT ${TOLD} FROM accounts
						WHERE told_reason = 'expired' AND expires_at_ms > ${bind(atMs)}
						ORDER BY expires_at_ms, reseller, username LIMIT ${bind(limit)}) AS early`,
			),
		listWarned: ({ atMs, after, limit }) =>
			read(
				atMs,
				(bind) => `SELECT reseller, reseller AS username, NULL AS told, ${LOW} FROM low_balances
					WHERE reseller > ${bind(after?.reseller ?? '')} ORDER BY reseller LIMIT ${bind(limit)}`,
			),
		listSubUsersToJudge: ({ reseller, ...page }) =>
			read(
				page.atMs,
				(bind) => `SELECT ${TOLD} FROM accounts
					WHERE reseller = ${bind(reseller)} AND username <> reseller ${onPage(page, bind)}`,
			),
		async listUnjudgedPrices() {
			const sql = `SELECT reseller, max(number) AS price FROM prices WHERE is_judged = 0 GROUP BY reseller
				ORDER BY reseller LIMIT ${RESELLERS_AT_ONCE}`;
			const rows = await heavy({ owner: JUDGING, statement: { sql, values: [] } });
			return rows as readonly { readonly reseller: string; readonly price: number }[];
		},
	};
}

/** What a reseller was told last of an account. */
interface ToldRow extends AccountName {
	/** Of a sub-user. */
	readonly told: JudgedAccount['told'];
	/** Of a reseller that wants a warning. */
	readonly lowBalanceCents?: number | null;
	readonly lowToldAtMs?: number | null;
}

const TOLD = 'reseller, username, told_reason AS told';
const LOW = 'low_balance_cents AS "lowBalanceCents", told_at_ms AS "lowToldAtMs"';

/** Those of the accounts that exist. */
function judgedAccounts(told: readonly ToldRow[], pairs: readonly PairRow[]): readonly JudgedAccount[] {
	const pairOf = new Map(pairs.map((pair) => [pair.username, pair]));
	return told.flatMap(({ reseller, username, lowBalanceCents = null, lowToldAtMs = null, ...of }) => {
		const pair = pairOf.get(username);
		if (!pair) return [];
		const isLowTold = username === reseller && lowToldAtMs !== null;
		return {
			...{ reseller, username, lowBalanceCents },
			bounds: boundsOf(pair),
			liveCents: pair.liveCents,
			told: isLowTold ? 'balance_low' : of.told,
		};
	});
}

/** Finds, within the transaction that has changed them, what decides what is told of accounts. */
export function findingJudged(
	findingPairs: FindingPairs,
	accounts: readonly ToJudge[],
	nowMs: number,
): readonly RowsRead[] {
	const resellers = accounts.filter(({ reseller, username }) => username === reseller);
	const usernames = accounts.map(({ username }) => username);
	return [
		findingPairs(usernames, nowMs),
		{ table: 'accounts', columns: TOLD, keys: accountNames(accounts) },
		{
			table: 'low_balances',
			columns: `reseller, ${LOW}`,
			keys: givenRows(resellers, { reseller: ['text', ({ reseller }) => reseller] }),
		},
	];
}

/** What resellers are told of these accounts. `rows` are those of `findingJudged`. */
export function tellingsOf(
	accounts: readonly ToJudge[],
	rows: readonly (readonly object[])[],
	nowMs: number,
): readonly Telling[] {
	const [pairs, told, low] = rows as [readonly PairRow[], readonly ToldRow[], readonly ToldRow[]];
	const lowOf = new Map(low.map(({ reseller, ...row }) => [reseller, row]));
	const withLow = told.map((row) => (row.username === row.reseller ? { ...row, ...lowOf.get(row.reseller) } : row));
	const judged = new Map(judgedAccounts(withLow, pairs).map((account) => [account.username, account]));
	return accounts.flatMap(({ username, cause }) => {
		const account = judged.get(username);
		return (account && judge(account, cause, nowMs)) ?? [];
	});
}

/** Keeps what resellers were told. The accounts are locked. A warning is kept with the threshold that it is about. */
export function settingTold(tellings: readonly Telling[]): readonly SharedStatement[] {
	return tellings.map(({ reseller, username, told, happening }) => {
		if (username !== reseller) {
			const sql = 'UPDATE accounts SET told_reason = $1 WHERE reseller = $2 AND username = $3';
			return { sql, values: [told, reseller, username], rows: 1 };
		}
		if (happening?.type !== 'reseller.balance_low') {
			return { sql: 'UPDATE low_balances SET told_at_ms = NULL WHERE reseller = $1', values: [reseller] };
		}
		const sql = 'UPDATE low_balances SET told_at_ms = $1 WHERE reseller = $2 AND low_balance_cents = $3';
		return { sql, values: [happening.atMs, reseller, happening.data.threshold] };
	});
}
