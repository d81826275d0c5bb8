import type { LedgerReads, LedgerVerification } from '../store/tables/ledger/verifications.ts';
import type { Bank } from './bank.ts';

/** How often progress is noted at most, in milliseconds. */
const NOTE_MS = 1_000;
/** How often a verification without progress is noted, so that it does not count as lost, in milliseconds. */
const STILL_RUNS_MS = 10_000;
const LISTED_PROBLEMS = 100;
/** The problems name accounts and people. Only a store that was changed by hand can have longer ones. */
const PROBLEM_CHARACTERS = 300;

interface NotedVerification {
	readonly verification: LedgerVerification;
	/** Whether the result is in the store. */
	readonly isNoted: boolean;
}

/**
 * Verifies the ledger, and notes the progress and the result of a verification that was begun under this id. A note that
 * fails does not end it. Throws if the ledger cannot be read, or if `signal` aborts before that: then it is noted as not
 * finished, and what the store still reads is dropped.
 */
export async function runVerification(
	{ store, bank }: { readonly store: LedgerReads; readonly bank: Pick<Bank, 'note'> },
	id: string,
	signal?: AbortSignal,
): Promise<NotedVerification> {
	let progress = { done: 0, steps: 0 };
	let noted = progress;
	let notedAtMs = performance.now();
	let isNoting = false;

	async function note(result?: string | null): Promise<boolean> {
		const { ok } = await bank.note({ kind: 'verification_progress', id, ...progress, result });
		return ok;
	}

	async function noteProgress(): Promise<void> {
		if (isNoting || (noted === progress && performance.now() - notedAtMs < STILL_RUNS_MS)) return;
		[isNoting, noted, notedAtMs] = [true, progress, performance.now()];
		await note();
		isNoting = false;
	}

	const timer = setInterval(() => void noteProgress(), NOTE_MS);
	try {
		signal?.throwIfAborted();
		const verification = await Promise.race([
			store.verifyLedger((done, steps) => {
				progress = { done, steps };
			}),
			...(signal ? [abortOf(signal)] : []),
		]);
		return { verification, isNoted: await note(resultOf(verification)) };
	} catch (cause) {
		await note(null);
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
