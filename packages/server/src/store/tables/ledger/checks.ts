import { DEBT, PLATFORM_SIDES, TRANSFER_KINDS } from '../../../domain/ledger.ts';
import { UNITS_OF_CENT } from '../../../domain/metering.ts';
import type { ReadingSteps, SharedStatement } from '../../statement.ts';
import { isInNetwork } from '../sign-in/sign-in.ts';
import type { LedgerProblem, LedgerVerification } from './verifications.ts';

const PLATFORM = PLATFORM_SIDES.map((side) => `'${side}'`).join(', ');

/**
 * SQLite's sums overflow at 2^63. The credits of an account may pass that before its debits are added. So millions and
 * the rest are added up separately.
 */
function exactSum(cents: string): string {
	return `(SUM(${cents} / 1000000) * 1000000 + SUM(${cents} % 1000000))`;
}

/** The sum of exact costs, as whole cents and the rest: rests of many accounts would overflow. */
function costSum(): string {
	const [high, low] = ['cost_rest / 1000000', 'cost_rest % 1000000'].map((part) => `CAST(SUM(${part}) AS bigint)`);
	const millions = `(${high} + ${low} / 1000000)`;
	return `CAST(SUM(cost_cents) AS bigint) + ${millions} / ${UNITS_OF_CENT / 1_000_000} AS cents,
		${millions} % ${UNITS_OF_CENT / 1_000_000} * 1000000 + ${low} % 1000000 AS rest`;
}

/** What so many bytes cost, without the rest. Whole GB and what is beyond are multiplied apart, as 64 bits cannot hold the product. */
function wholeCents(bytes: string): string {
	return `(${bytes} / 1000000000 * micro_usd_per_gb + ${bytes} % 1000000000 * micro_usd_per_gb / 1000000000) / 10000`;
}

interface LedgerCheck {
	/** What is wrong with each row that the query finds. If it looks for several problems, a row says which one it has. */
	readonly problem: string | readonly string[];
	readonly query: string;
}

/** Whether neither an account nor a deleted one has the name in these columns. */
function neverExisted(reseller: string, username: string): string {
	return `NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.reseller = ${reseller} AND accounts.username = ${username})
		AND NOT EXISTS (
			SELECT 1 FROM deleted_accounts AS deleted WHERE deleted.reseller = ${reseller} AND deleted.username = ${username})`;
}

/** The tables whose rows belong to a person, and what a row is. The link of a claim is for a person who is still to come. */
const OF_PEOPLE = {
	"invitations WHERE purpose <> 'claim'": 'a link',
	sessions: 'a session',
	passkeys: 'a passkey',
	one_time_codes: 'a secret of one-time codes',
	recovery_codes: 'a recovery code',
} as const;

const ENTRY_PROBLEMS = {
	sum: 'the balance is not the sum of its ledger entries',
	step: 'a ledger entry does not lead from the balance before to the balance after',
	account: 'a ledger entry names an account that does not exist',
} as const;

/**
 * Each transfer makes two entries: for each side, the change and the balance afterwards. To put the entries of each
 * account in their order takes most of the time of a verification, so the three checks of entries do it once.
 */
const ENTRY_CHECK: LedgerCheck = {
	problem: Object.values(ENTRY_PROBLEMS),
	query: `WITH entries AS (
			SELECT id, reseller, credit AS username, amount_cents AS change, credit_balance_cents AS balance_after FROM transfers
			UNION ALL
			SELECT id, reseller, debit, -amount_cents, debit_balance_cents FROM transfers),
		steps AS (
			SELECT reseller, username, change, balance_after,
				LAG(balance_after, 1, 0) OVER (PARTITION BY reseller, username ORDER BY id) AS balance_before
			FROM entries WHERE username NOT IN (${PLATFORM})),
		sums AS MATERIALIZED (
			SELECT reseller, username, ${exactSum('change')} AS cents,
				MAX(CASE WHEN balance_before + change = balance_after THEN 0 ELSE 1 END) AS wrong_steps
			FROM steps GROUP BY reseller, username),
		balances AS (
			SELECT reseller, username, balance_cents FROM accounts
			UNION ALL
			SELECT reseller, username, 0 FROM deleted_accounts)
		SELECT username AS name, '${ENTRY_PROBLEMS.sum}' AS problem
		FROM balances LEFT JOIN sums USING (reseller, username) WHERE balance_cents <> COALESCE(cents, 0)
		UNION
		SELECT username, '${ENTRY_PROBLEMS.step}' FROM sums WHERE wrong_steps > 0
		UNION
		SELECT username, '${ENTRY_PROBLEMS.account}' FROM sums WHERE ${neverExisted('sums.reseller', 'sums.username')}`,
};

/**
 * Each query returns, as `name`, the accounts, resellers or people that break a rule. It may also return a `detail` of
 * the problem.
 */
export const LEDGER_CHECKS: readonly LedgerCheck[] = [
	ENTRY_CHECK,
	{
		problem: 'a ledger entry is of a kind that this version does not know',
		// Names one reseller for each kind. With DISTINCT, SQLite would read the whole table in the order of its index.
		query: `SELECT MIN(reseller) AS name, kind AS detail FROM transfers
			WHERE kind NOT IN (${TRANSFER_KINDS.map((kind) => `'${kind}'`).join(', ')}) GROUP BY kind`,
	},
	{
		problem: 'the balance is below zero',
		query: 'SELECT username AS name FROM accounts WHERE balance_cents < 0',
	},
	{
		problem: 'the debt is not the sum of its ledger entries',
		query: `WITH debts AS MATERIALIZED (
				SELECT reseller, CASE debit WHEN '${DEBT}' THEN amount_cents ELSE -amount_cents END AS cents
				FROM transfers WHERE '${DEBT}' IN (debit, credit)),
			sums AS (SELECT reseller, ${exactSum('cents')} AS cents FROM debts GROUP BY reseller)
			SELECT username AS name FROM accounts LEFT JOIN sums ON sums.reseller = accounts.reseller AND username = accounts.reseller
			WHERE debt_cents <> COALESCE(cents, 0)`,
	},
	{
		problem: 'the reseller owes something, and has a balance that could pay it',
		query: 'SELECT username AS name FROM accounts WHERE debt_cents > 0 AND balance_cents > 0',
	},
	{
		// The next movement gets the id behind this one. Of a sub-user it is 0.
		problem: 'the id of its newest movement is not that of its ledger entries',
		query: `SELECT username AS name FROM accounts WHERE newest_movement <> CASE WHEN username = reseller THEN
				COALESCE((SELECT max(id) FROM transfers WHERE transfers.reseller = accounts.reseller), 0) ELSE 0 END`,
	},
	{
		problem: 'the account and the register of usernames do not agree',
		query: `SELECT username AS name FROM accounts WHERE NOT EXISTS (
				SELECT 1 FROM usernames WHERE usernames.username = accounts.username AND usernames.reseller = accounts.reseller)
			UNION
			SELECT username FROM usernames WHERE ${neverExisted('usernames.reseller', 'usernames.username')}`,
	},
	{
		problem: 'a deleted sub-user still has an account, or its name is free',
		query: `SELECT username AS name FROM deleted_accounts AS deleted WHERE NOT EXISTS (
				SELECT 1 FROM usernames WHERE usernames.username = deleted.username AND usernames.reseller = deleted.reseller)
			OR EXISTS (
				SELECT 1 FROM accounts WHERE accounts.username = deleted.username AND accounts.reseller = deleted.reseller)`,
	},
	{
		// No money moves between resellers, so each reseller has to add up to zero.
		problem:
			'the money that came in is not the balances of the accounts of this reseller plus their fees and bandwidth',
		query: `WITH sides AS (
				SELECT reseller, balance_cents AS cents FROM accounts
				UNION ALL
				SELECT reseller, CASE WHEN credit IN (${PLATFORM}) THEN amount_cents ELSE 0 END
					- CASE WHEN debit IN (${PLATFORM}) THEN amount_cents ELSE 0 END
				FROM transfers WHERE credit IN (${PLATFORM}) OR debit IN (${PLATFORM}))
			SELECT reseller AS name FROM sides GROUP BY reseller HAVING ${exactSum('cents')} <> 0`,
	},
	{
		problem: 'the person belongs to a reseller that does not exist',
		query: `SELECT email AS name, reseller AS detail FROM people
			WHERE reseller IS NOT NULL AND NOT EXISTS (
				SELECT 1 FROM accounts WHERE accounts.reseller = people.reseller AND accounts.username = people.reseller)`,
	},
	{
		problem: 'a payment has no ledger entry',
		// What was taken back and not there is owed: such a payment has two entries.
		query: `WITH moved AS MATERIALIZED (
				SELECT request_id, reseller, CASE kind WHEN 'top_up' THEN amount_cents ELSE -amount_cents END AS cents
				FROM transfers WHERE kind IN ('top_up', 'adjustment', 'refund_debt')),
			entries AS (
				SELECT request_id, reseller, cents FROM moved
				UNION ALL
				SELECT request_id, reseller, ${exactSum('cents')} FROM moved
				GROUP BY request_id, reseller HAVING count(*) > 1)
			SELECT top_ups.reseller AS name, reference AS detail FROM top_ups LEFT JOIN entries
				ON entries.request_id = top_ups.request_id AND entries.reseller = top_ups.reseller
					AND entries.cents = top_ups.amount_cents
			WHERE entries.cents IS NULL`,
	},
	{
		problem: 'what is booked of a payment through a provider is not the sum of its postings',
		query: `WITH posted AS (
				SELECT payment, reseller, ${exactSum('amount_cents')} AS cents, count(*) AS postings
				FROM top_ups WHERE payment IS NOT NULL GROUP BY payment, reseller)
			SELECT payments.reseller AS name, id AS detail FROM payments LEFT JOIN posted
				ON posted.payment = payments.id AND posted.reseller = payments.reseller
			WHERE booked_cents <> COALESCE(posted.cents, 0) OR payments.postings <> COALESCE(posted.postings, 0)
			UNION
			SELECT reseller, payment FROM posted WHERE NOT EXISTS (
				SELECT 1 FROM payments WHERE payments.id = posted.payment AND payments.reseller = posted.reseller)`,
	},
	{
		// Whole GB and the rest are multiplied apart, because 64 bits cannot hold the product.
		problem: 'the cost of its bandwidth is not its bytes times the price',
		query: `WITH costs AS (
				SELECT meters.*, bytes / 1000000000 * micro_usd_per_gb + bytes % 1000000000 * micro_usd_per_gb / 1000000000 AS micro_usd,
					bytes % 1000000000 * micro_usd_per_gb % 1000000000 AS parts
				FROM meters)
			SELECT DISTINCT costs.username AS name FROM costs LEFT JOIN prices
				ON prices.reseller = costs.reseller AND prices.number = costs.price
			WHERE cost_cents <> micro_usd / 10000 OR cost_rest <> micro_usd % 10000 * 1000000000 + parts
				OR prices.micro_usd_per_gb IS NULL OR prices.micro_usd_per_gb <> costs.micro_usd_per_gb`,
	},
	{
		problem: 'the days of its bandwidth do not cost what its meters say',
		query: `WITH days AS (SELECT reseller, username, ${costSum()} FROM usage_days GROUP BY reseller, username),
				sums AS (SELECT reseller, username, ${costSum()} FROM meters GROUP BY reseller, username)
			SELECT username AS name FROM days LEFT JOIN sums USING (reseller, username)
			WHERE days.cents <> COALESCE(sums.cents, 0) OR days.rest <> COALESCE(sums.rest, 0)
			UNION
			SELECT username FROM sums LEFT JOIN days USING (reseller, username) WHERE days.cents IS NULL`,
	},
	{
		problem: 'the days of a reseller do not cost what those of its accounts do',
		query: `WITH days AS (SELECT reseller, day, ${costSum()} FROM usage_days GROUP BY reseller, day)
			SELECT DISTINCT reseller AS name FROM usage_reseller_days AS ours LEFT JOIN days USING (reseller, day)
			WHERE cost_cents <> COALESCE(days.cents, 0) OR cost_rest <> COALESCE(days.rest, 0)`,
	},
	{
		problem: 'what was settled of its bandwidth is not the sum of its charges',
		query: `WITH sums AS (
				SELECT reseller, username, price, ${exactSum('charged_cents')} AS charged, ${exactSum('uncollected_cents')} AS uncollected,
					${exactSum('bytes')} AS bytes
				FROM usage_charges GROUP BY reseller, username, price)
			SELECT username AS name FROM meters LEFT JOIN sums USING (reseller, username, price)
			WHERE charged_cents <> COALESCE(charged, 0) OR uncollected_cents <> COALESCE(uncollected, 0)
				OR settled_bytes <> COALESCE(sums.bytes, 0) OR charged_cents + uncollected_cents > cost_cents
			UNION
			SELECT username FROM sums LEFT JOIN meters USING (reseller, username, price) WHERE cost_cents IS NULL`,
	},
	{
		// Charges follow one another without a gap, so together they settle each byte once.
		problem: 'a charge of its bandwidth is not its bytes times the price',
		query: `WITH charges AS (
				SELECT reseller, username, price, micro_usd_per_gb, from_bytes, charged_cents + uncollected_cents AS cents,
					${wholeCents('(from_bytes + bytes)')} - ${wholeCents('from_bytes')} AS due,
					LAG(from_bytes + bytes, 1, 0) OVER (PARTITION BY reseller, username, price ORDER BY from_bytes) AS settled_before
				FROM usage_charges)
			SELECT DISTINCT charges.username AS name FROM charges LEFT JOIN prices
				ON prices.reseller = charges.reseller AND prices.number = charges.price
			WHERE from_bytes <> settled_before OR cents <> due
				OR prices.micro_usd_per_gb IS NULL OR prices.micro_usd_per_gb <> charges.micro_usd_per_gb`,
	},
	{
		problem: 'the ledger entries of its bandwidth are not what was charged',
		// Materialized, or SQLite would read the whole table in the order of an index.
		query: `WITH postings AS MATERIALIZED (
				SELECT reseller, CASE WHEN kind = 'debt' THEN wanted_username ELSE debit END AS username, request_id, amount_cents
				FROM transfers WHERE kind IN ('usage', 'debt')),
			posted AS (
				SELECT reseller, username, request_id, ${exactSum('amount_cents')} AS cents FROM postings
				GROUP BY reseller, username, request_id),
			charged AS (
				SELECT reseller, username, request_id, ${exactSum('charged_cents')} AS cents FROM usage_charges
				GROUP BY reseller, username, request_id)
			SELECT username AS name FROM charged LEFT JOIN posted USING (reseller, username, request_id)
			WHERE charged.cents <> COALESCE(posted.cents, 0)
			UNION
			SELECT username FROM posted LEFT JOIN charged USING (reseller, username, request_id)
			WHERE charged.cents IS NULL`,
	},
	{
		problem: 'no account has this name, but a price or a meter names it',
		query: `SELECT DISTINCT username AS name FROM (
				SELECT reseller, username FROM meters UNION SELECT reseller, reseller FROM prices) AS named
			WHERE ${neverExisted('named.reseller', 'named.username')}`,
	},
	{
		problem: 'no reseller has this name, but a bound of its balance is set',
		query: `SELECT reseller AS name FROM low_balances WHERE NOT EXISTS (
				SELECT 1 FROM accounts WHERE accounts.reseller = low_balances.reseller AND username = low_balances.reseller)`,
	},
	{
		problem: 'no account has this name, but it signs in from an address',
		query: `SELECT DISTINCT username AS name FROM sign_in_addresses AS signs WHERE NOT EXISTS (
				SELECT 1 FROM accounts WHERE accounts.reseller = signs.reseller AND accounts.username = signs.username)`,
	},
	{
		problem: 'another account signs in from the same address',
		query: `SELECT DISTINCT other.username AS name FROM sign_in_addresses AS network JOIN sign_in_addresses AS other
				ON ${isInNetwork('other.address', 'network.address')} AND other.username <> network.username
			WHERE network.address LIKE '%/64'`,
	},
	{
		problem: 'no reseller has this name, but it may sign in by address',
		query: `SELECT reseller AS name FROM sign_in_resellers AS own WHERE NOT EXISTS (
				SELECT 1 FROM accounts WHERE accounts.reseller = own.reseller AND username = own.reseller)`,
	},
	...Object.entries(OF_PEOPLE).map(([rows, row]) => ({
		problem: `no person has this id, but ${row} names it`,
		query: `SELECT DISTINCT person AS name FROM (SELECT person FROM ${rows}) AS named
			WHERE person IS NOT NULL AND NOT EXISTS (SELECT 1 FROM people WHERE people.id = named.person)`,
	})),
	{
		problem: 'no person has this id, but an act names it',
		query: `SELECT DISTINCT person AS name FROM acts
			WHERE person IS NOT NULL AND NOT EXISTS (SELECT 1 FROM people WHERE people.id = acts.person)
				AND NOT EXISTS (SELECT 1 FROM removed_people WHERE removed_people.id = acts.person)`,
	},
];

/** The checks, and then the counts. */
const STEPS = LEDGER_CHECKS.length + 1;

const COUNTS: SharedStatement = {
	sql: 'SELECT (SELECT count(*) FROM accounts) AS accounts, (SELECT count(*) FROM transfers) AS transfers',
	values: [],
};

/** Recomputes every balance from the ledger. To be run in one snapshot. */
export function* verifying(onProgress: (done: number, steps: number) => void): ReadingSteps<LedgerVerification> {
	const problems: LedgerProblem[] = [];
	for (const [done, check] of LEDGER_CHECKS.entries()) {
		onProgress(done, STEPS);
		const [found] = (yield [{ sql: check.query, values: [] }]) as readonly [readonly FoundProblem[]];
		problems.push(...ledgerProblems(check, found));
	}
	onProgress(LEDGER_CHECKS.length, STEPS);
	const [[counts]] = (yield [COUNTS]) as readonly [readonly [Omit<LedgerVerification, 'problems'>]];
	onProgress(STEPS, STEPS);
	return { ...counts, problems };
}

export interface FoundProblem {
	readonly name: string;
	readonly problem?: string;
	readonly detail?: string;
}

/** The rows that a check found, as problems to report. */
export function ledgerProblems(check: LedgerCheck, found: readonly FoundProblem[]): readonly LedgerProblem[] {
	return found.map(({ name, problem = String(check.problem), detail }) => ({
		name,
		problem: detail === undefined ? problem : `${problem}: ${detail}`,
	}));
}
