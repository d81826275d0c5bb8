import { PLATFORM_SIDES, TRANSFER_KINDS } from '../domain/ledger.ts';
import type { LedgerProblem } from './reads/operator-reads.ts';

const PLATFORM = PLATFORM_SIDES.map((side) => `'${side}'`).join(', ');

/** Each transfer makes two entries: for each side, the change and the balance afterwards. */
const ENTRIES = `
	entries AS (
		SELECT id, reseller, credit AS username, amount_cents AS change, credit_balance_cents AS balance_after FROM transfers
		UNION ALL
		SELECT id, reseller, debit, -amount_cents, debit_balance_cents FROM transfers
	)`;

/**
 * SQLite's sums overflow at 2^63. The credits of an account may pass that before its debits are added. So millions and
 * the rest are added up separately.
 */
function exactSum(cents: string): string {
	return `(SUM(${cents} / 1000000) * 1000000 + SUM(${cents} % 1000000))`;
}

interface LedgerCheck {
	readonly problem: string;
	readonly query: string;
}

/** The tables whose rows belong to a person, and what a row is. The link of a claim is for a person who is still to come. */
const OF_PEOPLE = {
	"invitations WHERE purpose <> 'claim'": 'a link',
	sessions: 'a session',
	passkeys: 'a passkey',
	one_time_codes: 'a secret of one-time codes',
	recovery_codes: 'a recovery code',
	acts: 'an act',
} as const;

/**
 * Each query returns, as `name`, the accounts, resellers or people that break a rule. It may also return a `detail` of
 * the problem.
 */
export const LEDGER_CHECKS: readonly LedgerCheck[] = [
	{
		problem: 'the balance is not the sum of its ledger entries',
		query: `WITH ${ENTRIES}, sums AS (SELECT reseller, username, ${exactSum('change')} AS cents FROM entries GROUP BY reseller, username)
			SELECT username AS name FROM accounts LEFT JOIN sums USING (reseller, username)
			WHERE balance_cents <> COALESCE(cents, 0)`,
	},
	{
		problem: 'a ledger entry does not lead from the balance before to the balance after',
		query: `WITH ${ENTRIES}, steps AS (
				SELECT username, change, balance_after,
					LAG(balance_after, 1, 0) OVER (PARTITION BY reseller, username ORDER BY id) AS balance_before
				FROM entries WHERE username NOT IN (${PLATFORM}))
			SELECT DISTINCT username AS name FROM steps WHERE balance_after IS NULL OR balance_before + change <> balance_after`,
	},
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
		problem: 'a ledger entry names an account that does not exist',
		query: `WITH ${ENTRIES}
			SELECT DISTINCT username AS name FROM entries
			WHERE username NOT IN (${PLATFORM})
				AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.reseller = entries.reseller AND accounts.username = entries.username)`,
	},
	{
		problem: 'the account and the register of usernames do not agree',
		query: `SELECT username AS name FROM accounts WHERE NOT EXISTS (
				SELECT 1 FROM usernames WHERE usernames.username = accounts.username AND usernames.reseller = accounts.reseller)
			UNION
			SELECT username FROM usernames WHERE NOT EXISTS (
				SELECT 1 FROM accounts WHERE accounts.username = usernames.username AND accounts.reseller = usernames.reseller)`,
	},
	{
		// No money moves between resellers, so each reseller has to add up to zero.
		problem: 'the money that came in is not the balances of the accounts of this reseller plus their fees',
		query: `WITH sides AS (
				SELECT reseller, balance_cents AS cents FROM accounts
				UNION ALL
				SELECT reseller, amount_cents FROM transfers WHERE credit IN (${PLATFORM})
				UNION ALL
				SELECT reseller, -amount_cents FROM transfers WHERE debit IN (${PLATFORM}))
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
		query: `WITH payments AS MATERIALIZED (
				SELECT request_id, reseller, CASE kind WHEN 'top_up' THEN amount_cents ELSE -amount_cents END AS cents
				FROM transfers WHERE kind IN ('top_up', 'adjustment'))
			SELECT top_ups.reseller AS name, reference AS detail FROM top_ups LEFT JOIN payments
				ON payments.request_id = top_ups.request_id AND payments.reseller = top_ups.reseller AND cents = top_ups.amount_cents
			WHERE cents IS NULL`,
	},
	{
		problem: 'no reseller has this name, but a bound of its balance is set',
		query: `SELECT reseller AS name FROM low_balances WHERE NOT EXISTS (
				SELECT 1 FROM accounts WHERE accounts.reseller = low_balances.reseller AND username = low_balances.reseller)`,
	},
	...Object.entries(OF_PEOPLE).map(([rows, row]) => ({
		problem: `no person has this id, but ${row} names it`,
		query: `SELECT DISTINCT person AS name FROM (SELECT person FROM ${rows}) AS named
			WHERE person IS NOT NULL AND NOT EXISTS (SELECT 1 FROM people WHERE people.id = named.person)`,
	})),
];

/** The checks, and then the counts. */
export const VERIFICATION_STEPS = LEDGER_CHECKS.length + 1;

export interface FoundProblem {
	readonly name: string;
	readonly detail?: string;
}

/** The rows that a check found, as problems to report. */
export function ledgerProblems({ problem }: LedgerCheck, found: readonly FoundProblem[]): readonly LedgerProblem[] {
	return found.map(({ name, detail }) => ({
		name,
		problem: detail === undefined ? problem : `${problem}: ${detail}`,
	}));
}
