import { type FoundProblem, LEDGER_CHECKS, ledgerProblems } from '../ledger-checks.ts';
import type { LedgerVerification } from '../operator-reads.ts';
import type { Connection } from './connection.ts';

/** Recomputes every balance from the ledger, in one snapshot beside which others may write. */
export function verifyLedger(connection: Connection): LedgerVerification {
	connection.exec('BEGIN');
	try {
		const count = (table: string) => connection.prepare(`SELECT COUNT(*) FROM ${table}`).pluck().get() as number;
		const problems = LEDGER_CHECKS.flatMap((check) =>
			ledgerProblems(check, connection.prepare<[], FoundProblem>(check.query).all()),
		);
		return {
			accounts: count('accounts'),
			transfers: count('transfers'),
			problems,
		};
	} finally {
		connection.exec('ROLLBACK');
	}
}
