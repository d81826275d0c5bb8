import type { LedgerReads, LedgerVerification } from '../store/tables/ledger/verifications.ts';
import type { Bank } from './bank.ts';

/** How often progress is recorded at most, in milliseconds. */
const RECORD_MS = 1_000;
/** How often a verification without progress is recorded, so that it does not count as lost, in milliseconds. */
const STILL_RUNS_MS = 10_000;
/** @bound Problems that are kept of one verification of the ledger: further ones are only counted. */
const LISTED_PROBLEMS = 100;
/**
 * The problems name accounts and people. Only a store that was changed by hand can have longer ones.
 * @bound Characters of a problem of the ledger: the rest is cut off.
 */
const PROBLEM_CHARACTERS = 300;

interface EndedVerification {
	readonly verification: LedgerVerification;
	/** Whether the result is in the store. */
	readonly isStored: boolean;
}

/**
 * Verifies the ledger, and records the progress and the result of a verification that was begun under this id. A record that
 * fails does not end it. Throws if the ledger cannot be read, or if `signal` aborts before that: then it is recorded as not
 * finished, and what the store still reads is dropped.
 */
export async function runVerification(
	{ store, bank }: { readonly store: LedgerReads; readonly bank: Pick<Bank, 'keep'> },
	id: string,
	signal?: AbortSignal,
): Promise<EndedVerification> {
	let progress = { done: 0, steps: 0 };
	let recorded = progress;
	let recordedAtMs = performance.now();
	let isRecording = false;

	async function record(result?: string | null): Promise<boolean> {
		const { ok } = await bank.keep({ kind: 'verification_progress', id, ...progress, result });
		return ok;
	}

	async function recordProgress(): Promise<void> {
		if (isRecording || (recorded === progress && performance.now() - recordedAtMs < STILL_RUNS_MS)) return;
		[isRecording, recorded, recordedAtMs] = [true, progress, performance.now()];
		await record();
		isRecording = false;
	}

	const timer = setInterval(() => void recordProgress(), RECORD_MS);
	try {
		signal?.throwIfAborted();
		const verification = await Promise.race([
			store.verifyLedger((done, steps) => {
				progress = { done, steps };
			}),
			...(signal ? [abortOf(signal)] : []),
		]);
		return { verification, isStored: await record(resultOf(verification)) };
	} catch (cause) {
		await record(null);
		throw cause;
	} finally {
		clearInterval(timer);
	}
}

function abortOf(signal: AbortSignal): Promise<never> {
	return new Promise((_resolve, reject) => {
		signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
	});
}

/** The result as the store keeps it, in the words of the dashboard's contract. */
function resultOf({ accounts, transfers, problems }: LedgerVerification): string {
	const listed = problems.slice(0, LISTED_PROBLEMS).map(({ name, problem }) => ({
		name: name.slice(0, PROBLEM_CHARACTERS),
		problem: problem.slice(0, PROBLEM_CHARACTERS),
	}));
	return JSON.stringify({ accounts, transfers, problems: problems.length, first_problems: listed });
}
