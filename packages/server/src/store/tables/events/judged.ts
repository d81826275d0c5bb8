import { type JudgedAccount, judge, type Telling, type ToJudge } from '../../../domain/events/judging.ts';
import { JUDGING, type ReadLanes } from '../../reading.ts';
import { type Bind, statementOf } from '../../search.ts';
import { givenRows, type ReadForEach, type SharedStatement } from '../../statement.ts';
import type { AccountName } from '../accounts/account.ts';
import { BOUNDS_OF_PAIRS, type BoundsRow, boundsOf, pairDays } from '../accounts/pair.ts';

/**
 * Accounts of which their resellers may have to be told something that no command brings about. Each read is heavy, and
 * throws `StoreUnavailableError` if the store cannot be asked. Pages are sorted by reseller and username.
 */
export interface JudgingReads {
	/** Those of these accounts (250 at most) that have a limit of bytes. `atMs` is now, in Unix milliseconds. */
	findLimited(usernames: readonly string[], atMs: number): Promise<readonly JudgedAccount[]>;
	/** A page of all sub-users that have a limit of bytes. */
	listLimited(page: JudgingPage): Promise<readonly JudgedAccount[]>;
	/** Sub-users that have ended by now, and whose resellers were not told that they are unusable for it. */
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

export function judgingReads({ heavy }: ReadLanes): JudgingReads {
	/** `named`: a query of the names of the accounts. */
	async function read(atMs: number, named: (bind: Bind) => string): Promise<readonly JudgedAccount[]> {
		const statement = statementOf((bind) => {
			// They are $1 and $2.
			for (const day of pairDays(atMs)) bind(day);
			return `SELECT ${JUDGED} JOIN (${named(bind)}) AS named
				ON named.reseller = usernames.reseller AND named.username = usernames.username
				ORDER BY usernames.reseller, usernames.username`;
		});
		const rows = (await heavy({ owner: JUDGING, statement })) as readonly JudgedRow[];
		return rows.map(judgedAccountOf);
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
				(bind) => `SELECT accounts.reseller, accounts.username FROM usernames JOIN accounts USING (reseller, username)
					WHERE usernames.username IN (${names.map(bind).join(', ')}) AND ${HAS_LIMIT}`,
			);
		},
		listLimited: (page) =>
			read(page.atMs, (bind) => `SELECT reseller, username FROM accounts WHERE ${HAS_LIMIT} ${onPage(page, bind)}`),
		listEnded: (atMs, limit) =>
			read(
				atMs,
				(bind) => `SELECT reseller, username FROM accounts
					WHERE ${IS_TO_END} AND expires_at_ms <= ${bind(atMs)} ORDER BY expires_at_ms LIMIT ${bind(limit)}`,
			),
		listWarned: ({ atMs, after, limit }) =>
			read(
				atMs,
				(bind) => `SELECT reseller, reseller AS username FROM low_balances
					WHERE reseller > ${bind(after?.reseller ?? '')} ORDER BY reseller LIMIT ${bind(limit)}`,
			),
		listSubUsersToJudge: ({ reseller, ...page }) =>
			read(
				page.atMs,
				(bind) => `SELECT reseller, username FROM accounts
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

/** @bound Resellers whose price was changed, and whose sub-users are judged in one look: the next look has the rest. */
const RESELLERS_AT_ONCE = 100;

/** What decides what a reseller is told of an account, as the store has it. */
interface JudgedRow extends BoundsRow {
	readonly reseller: string;
	/** Of a sub-user. */
	readonly told: JudgedAccount['told'];
	/** Of a reseller that wants a warning. */
	readonly lowBalanceCents: number | null;
	readonly lowToldAtMs: number | null;
}

/** The columns of a `JudgedRow`, and from where they are. A condition on `usernames` is to follow. $1 and $2: `pairDays`. */
const JUDGED = `usernames.reseller, account.told_reason AS told,
	(SELECT low_balance_cents FROM low_balances
		WHERE low_balances.reseller = usernames.username) AS "lowBalanceCents",
	(SELECT told_at_ms FROM low_balances WHERE low_balances.reseller = usernames.username) AS "lowToldAtMs",
	${BOUNDS_OF_PAIRS}`;

/** Finds accounts within the transaction that has changed them. Those that were deleted are missing. */
export function findingJudged(accounts: readonly ToJudge[], nowMs: number): ReadForEach {
	const [firstOfMonth, today] = pairDays(nowMs);
	return {
		sql: `SELECT ${JUDGED} WHERE usernames.username = CAST($3 AS text) LIMIT 1`,
		given: givenRows(accounts, {
			first_of_month: ['integer', () => firstOfMonth],
			today: ['integer', () => today],
			username: ['text', ({ username }) => username],
		}),
	};
}

function judgedAccountOf(row: JudgedRow): JudgedAccount {
	const { reseller, username, lowBalanceCents, lowToldAtMs, liveCents } = row;
	const told = username === reseller ? (lowToldAtMs === null ? null : 'balance_low') : row.told;
	return { reseller, username, bounds: boundsOf(row), liveCents, lowBalanceCents, told };
}

/** What resellers are told of these accounts. `rows` are those of each account. */
export function tellingsOf(
	accounts: readonly ToJudge[],
	rows: readonly (readonly object[])[],
	nowMs: number,
): readonly Telling[] {
	return accounts.flatMap(({ cause }, index) =>
		((rows[index] ?? []) as readonly JudgedRow[]).flatMap((row) => judge(judgedAccountOf(row), cause, nowMs) ?? []),
	);
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
