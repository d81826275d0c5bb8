import { type FoundProblem, LEDGER_CHECKS, ledgerProblems, VERIFICATION_STEPS } from '../../tables/ledger/checks.ts';
import type { LedgerProblem, LedgerVerification } from '../../tables/reports/operator.ts';
import { beginSnapshot } from '../database/beginning.ts';
import type { Connections } from '../database/connections.ts';
import { LIMITS } from '../database/limits.ts';

/** Recomputes every balance from the ledger, in one snapshot. Others may write meanwhile. */
export async function verifyLedger(
	connections: Connections,
	onProgress: (done: number, steps: number) => void = () => {},
): Promise<LedgerVerification> {
	const lease = await connections.acquire(performance.now() + LIMITS.readMs);
	lease.unlimit();
	try {
		await lease.query(beginSnapshot());
		const problems: LedgerProblem[] = [];
		for (const [done, check] of LEDGER_CHECKS.entries()) {
			onProgress(done, VERIFICATION_STEPS);
			problems.push(...ledgerProblems(check, (await lease.query<FoundProblem>(check.query)).rows));
		}
		onProgress(LEDGER_CHECKS.length, VERIFICATION_STEPS);
		const { rows } = await lease.query<{ accounts: number; transfers: number }>(
			'SELECT (SELECT count(*) FROM accounts) AS accounts, (SELECT count(*) FROM transfers) AS transfers',
		);
		await lease.query('ROLLBACK');
		const { accounts = 0, transfers = 0 } = rows[0] ?? {};
		lease.release();
		onProgress(VERIFICATION_STEPS, VERIFICATION_STEPS);
		return { accounts, transfers, problems };
	} catch (cause) {
		lease.destroy();
		throw cause;
	}
}
