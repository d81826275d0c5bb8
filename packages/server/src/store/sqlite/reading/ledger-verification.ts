import { type FoundProblem, LEDGER_CHECKS, ledgerProblems, VERIFICATION_STEPS } from '../../tables/ledger/checks.ts';
import type { LedgerProblem, LedgerVerification } from '../../tables/reports/operator.ts';
import type { Connection } from '../database/connection.ts';

/** Recomputes every balance from the ledger, in one snapshot. Others may write meanwhile. */
export function verifyLedger(
	connection: Connection,
	onProgress: (done: number, steps: number) => void = () => {},
): LedgerVerification {
	connection.exec('BEGIN');
	try {
		const problems: LedgerProblem[] = [];
		for (const [done, check] of LEDGER_CHECKS.entries()) {
			onProgress(done, VERIFICATION_STEPS);
			problems.push(...ledgerProblems(check, connection.prepare<[], FoundProblem>(check.query).all()));
		}
		onProgress(LEDGER_CHECKS.length, VERIFICATION_STEPS);
		const count = (table: string) => connection.prepare(`SELECT COUNT(*) FROM ${table}`).pluck().get() as number;
		const counts = { accounts: count('accounts'), transfers: count('transfers') };
		onProgress(VERIFICATION_STEPS, VERIFICATION_STEPS);
		return { ...counts, problems };
	} finally {
		connection.exec('ROLLBACK');
	}
}
