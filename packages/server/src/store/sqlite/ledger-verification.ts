import { LEDGER_CHECKS } from '../ledger-checks.ts';
import type { LedgerProblem, LedgerVerification } from '../operator-reads.ts';
import type { Connection } from './connection.ts';

/** Recomputes every balance from the ledger, in one snapshot beside which others may write. */
export function verifyLedger(connection: Connection): LedgerVerification {
	connection.exec('BEGIN');
	try {
		const count = (table: string) => connection.prepare(`SELECT COUNT(*) FROM ${table}`).pluck().get() as number;
		const problems = LEDGER_CHECKS.flatMap(({ problem, query }): LedgerProblem[] => {
			const usernames = connection.prepare(query).pluck().all() as string[];
			return usernames.map((username) => ({ username, problem }));
		});
		return {
			accounts: count('accounts'),
			transfers: count('transfers'),
			problems,
		};
	} finally {
		connection.exec('ROLLBACK');
	}
}
