import type { LedgerHealth, LedgerVerification } from '@bursar/contract/dashboard';
import { isVerificationRunning } from '../../../domain/operators/verification.ts';
import type { StoredVerification, VerificationReads } from '../../../store/tables/ledger/verifications.ts';
import { time } from '../calls/times.ts';

interface LedgerDependencies {
	readonly store: Pick<VerificationReads, 'findVerifications'>;
	readonly nowMs: () => number;
}

/** The verification of the ledger that runs, and the last one that ended. */
export async function readLedgerHealth({ store, nowMs }: LedgerDependencies): Promise<LedgerHealth> {
	const { newest, ended } = await store.findVerifications();
	const last = ended ? endedView(ended) : null;
	if (!newest || newest.endedAtMs !== null) return { running: null, last };
	const { startedAtMs, notedAtMs, done, steps } = newest;
	if (isVerificationRunning(notedAtMs, nowMs())) {
		return { running: { started: time(startedAtMs), done, of: steps }, last };
	}
	// Its process has ended.
	return { running: null, last: endedView({ ...newest, endedAtMs: notedAtMs, result: null }) };
}

function endedView({ by, startedAtMs, notedAtMs, endedAtMs, result }: StoredVerification): LedgerVerification {
	return {
		started: time(startedAtMs),
		ended: time(endedAtMs ?? notedAtMs),
		by,
		result: result === null ? null : (JSON.parse(result) as LedgerVerification['result']),
	};
}
