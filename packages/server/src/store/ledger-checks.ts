import { PLATFORM_SIDES, TRANSFER_KINDS } from '../domain/ledger.ts';
import type { LedgerProblem } from './operator-reads.ts';

const PLATFORM = PLATFORM_SIDES.map((side) => `'${side}'`).join(', ');

/** Every transfer stands on two accounts: as a change, and as the balance that it claims to leave. */
const ENTRIES = `
	entries AS (
		SELECT id, reseller, credit AS username, amount_cents AS change, credit_balance_cents AS balance_after FROM transfers
		UNION ALL
		SELECT id, reseller, debit, -amount_cents, debit_balance_cents FROM transfers
	)`;

/**
 * SQLite refuses to add up to more than 2^63, which the turnover of an account may pass before its
 * debits bring it back; PostgreSQL does not mind. So millions and the rest are added up apart.
 */
function exactSum(cents: string): string {
	return `(SUM(${cents} / 1000000) * 1000000 + SUM(${cents} % 1000000))`;
}

interface LedgerCheck {
	readonly problem: string;
	readonly query: string;
}

/**
 * Each query names, as `username`, the accounts or resellers for which a rule of the ledger does not hold; as `detail`, it
 * may say more of the problem.
 */
export const LEDGER_CHECKS: readonly LedgerCheck[] = [
	{
		problem: 'the balance is not the sum of its ledger entries',
		query: `WITH ${ENTRIES}, sums AS (SELECT reseller, username, ${exactSum('change')} AS cents FROM entries GROUP BY reseller, username)
			SELECT username FROM accounts LEFT JOIN sums USING (reseller, username)
			WHERE balance_cents <> COALESCE(cents, 0)`,
	},
	{
		problem: 'a ledger entry does not lead from the balance before it to the one after it',
		query: `WITH ${ENTRIES}, steps AS (
				SELECT username, change, balance_after,
					LAG(balance_after, 1, 0) OVER (PARTITION BY reseller, username ORDER BY id) AS balance_before
				FROM entries WHERE username NOT IN (${PLATFORM}))
			SELECT DISTINCT username FROM steps WHERE balance_after IS NULL OR balance_before + change <> balance_after`,
	},
	{
		problem: 'a ledger entry is of a kind that this version does not know',
		// One reseller is named for each kind. DISTINCT would have SQLite go through the table in the order of its index.
		query: `SELECT MIN(reseller) AS username, kind AS detail FROM transfers
			WHERE kind NOT IN (${TRANSFER_KINDS.map((kind) => `'${kind}'`).join(', ')}) GROUP BY kind`,
	},
	{
		problem: 'the balance is below zero',
		query: 'SELECT username FROM accounts WHERE balance_cents < 0',
	},
	{
		problem: 'a ledger entry names an account that does not exist',
		query: `WITH ${ENTRIES}
			SELECT DISTINCT username FROM entries
			WHERE username NOT IN (${PLATFORM})
				AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.reseller = entries.reseller AND accounts.username = entries.username)`,
	},
	{
		problem: 'the account and the register of usernames do not agree',
		query: `SELECT username FROM accounts WHERE NOT EXISTS (
				SELECT 1 FROM usernames WHERE usernames.username = accounts.username AND usernames.reseller = accounts.reseller)
			UNION
			SELECT username FROM usernames WHERE NOT EXISTS (
				SELECT 1 FROM accounts WHERE accounts.username = usernames.username AND accounts.reseller = usernames.reseller)`,
	},
	{
		// No money crosses from one reseller to another, so that each has a zero of its own.
		problem: 'what came in from outside is not what lies on the accounts of this reseller and has become fees',
		query: `WITH sides AS (
				SELECT reseller, balance_cents AS cents FROM accounts
				UNION ALL
				SELECT reseller, amount_cents FROM transfers WHERE credit IN (${PLATFORM})
				UNION ALL
				SELECT reseller, -amount_cents FROM transfers WHERE debit IN (${PLATFORM}))
			SELECT reseller AS username FROM sides GROUP BY reseller HAVING ${exactSum('cents')} <> 0`,
	},
];

export interface FoundProblem {
	readonly username: string;
	readonly detail?: string;
}

/** What a check has found, as it is told. */
export function ledgerProblems({ problem }: LedgerCheck, found: readonly FoundProblem[]): readonly LedgerProblem[] {
	return found.map(({ username, detail }) => ({
		username,
		problem: detail === undefined ? problem : `${problem}: ${detail}`,
	}));
}
