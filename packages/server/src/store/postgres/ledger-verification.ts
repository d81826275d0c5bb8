import { type FoundProblem, LEDGER_CHECKS, ledgerProblems } from '../ledger-checks.ts';
import type { LedgerProblem, LedgerVerification } from '../operator-reads.ts';
import { beginSnapshot } from './beginning.ts';
import type { Connections } from './connections.ts';
import { LIMITS } from './limits.ts';

/** Recomputes every balance from the ledger, in one snapshot beside which others may write. */
export async function verifyLedger(connections: Connections): Promise<LedgerVerification> {
	const lease = await connections.acquire(performance.now() + LIMITS.readMs);
	lease.unlimit();
	try {
		await lease.query(beginSnapshot());
		const problems: LedgerProblem[] = [];
		for (const check of LEDGER_CHECKS) {
			problems.push(...ledgerProblems(check, (await lease.query<FoundProblem>(check.query)).rows));
		}
		const { rows } = await lease.query<{ accounts: number; transfers: number }>(
			'SELECT (SELECT count(*) FROM accounts) AS accounts, (SELECT count(*) FROM transfers) AS transfers',
		);
		await lease.query('ROLLBACK');
		const { accounts = 0, transfers = 0 } = rows[0] ?? {};
		lease.release();
		return { accounts, transfers, problems };
	} catch (cause) {
		lease.destroy();
		throw cause;
	}
}
