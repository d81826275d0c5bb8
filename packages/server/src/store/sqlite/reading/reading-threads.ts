import { threadFile } from '../../../installation.ts';
import { HEAVY_READ_MS, StoreUnavailableError } from '../../reading.ts';
import type { SharedStatement } from '../../statement.ts';
import type { LedgerVerification } from '../../tables/ledger/verifications.ts';
import { startThread, type ThreadClient } from '../thread.ts';
import type { ReadingFunctions } from './reading-thread.ts';

/** The threads that read for long. Each is started when it is needed. If one dies, the service goes on. */
export interface ReadingThreads {
	/**
	 * One at a time. Rejects with `StoreUnavailableError`, also if it takes longer than the limit. Its thread is then
	 * ended, but still runs its statement. The next read starts another thread at once, if fewer than
	 * `REPORT_THREADS` run. Otherwise it waits for one to exit.
	 */
	readReport(statement: SharedStatement): Promise<readonly object[]>;
	/** In a thread of its own. A second verification waits for the first one. */
	verifyLedger(onProgress?: OnProgress): Promise<LedgerVerification>;
	/** Rejects all reads, and resolves when the threads have ended. */
	close(): Promise<void>;
}

type OnProgress = (done: number, steps: number) => void;
/** @bound Threads of heavy reads on SQLite, with one that was ended: further reads wait. */
const REPORT_THREADS = 2;

type ReadingThread = ThreadClient<ReadingFunctions>;

export function createReadingThreads(file: string, limitMs = HEAVY_READ_MS): ReadingThreads {
	const threads = new Set<ReadingThread>();
	const reportThreads = new Set<ReadingThread>();
	const closed = new Error('the store is closed');
	let reports: ReadingThread | undefined;
	let verification: Promise<unknown> = Promise.resolve();
	let isClosed = false;

	function start(onProgress?: OnProgress): ReadingThread {
		if (isClosed) throw closed;
		const thread = startThread<ReadingFunctions>(
			threadFile('store/sqlite/reading/reading-thread'),
			{ file },
			onProgress,
		);
		threads.add(thread);
		void thread.exited.then(() => threads.delete(thread));
		return thread;
	}

	function startReports(): ReadingThread {
		const thread = start();
		reportThreads.add(thread);
		void thread.exited.then(() => reportThreads.delete(thread));
		return thread;
	}

	/** The thread that takes reports. */
	async function reportThread(late: AbortSignal): Promise<ReadingThread> {
		while (!reports || reports.over) {
			late.throwIfAborted();
			if (reportThreads.size < REPORT_THREADS) reports = startReports();
			else await Promise.race([...reportThreads].map(({ exited }) => exited));
		}
		await reports.ready;
		return reports;
	}

	async function readWithin(statement: SharedStatement, late: AbortSignal): Promise<readonly object[]> {
		const thread = await reportThread(late);
		late.throwIfAborted();
		const end = () => thread.terminate(late.reason);
		late.addEventListener('abort', end);
		try {
			return await thread.call('read', statement);
		} finally {
			late.removeEventListener('abort', end);
		}
	}

	async function verify(onProgress?: OnProgress): Promise<LedgerVerification> {
		const thread = start(onProgress);
		try {
			await thread.ready;
			return await thread.call('verifyLedger');
		} finally {
			thread.terminate(closed);
		}
	}

	return {
		async readReport(statement) {
			const late = new AbortController();
			const aborted = new Promise<never>((_, reject) => {
				late.signal.addEventListener('abort', () => reject(late.signal.reason));
			});
			const timer = setTimeout(() => late.abort(new Error('the report takes too long')), limitMs);
			try {
				return await Promise.race([readWithin(statement, late.signal), aborted]);
			} catch (cause) {
				throw new StoreUnavailableError('the report could not be read', { cause });
			} finally {
				clearTimeout(timer);
			}
		},
		verifyLedger(onProgress) {
			const verifying = verification.then(() => verify(onProgress));
			verification = verifying.catch(() => {});
			return verifying;
		},
		async close() {
			isClosed = true;
			const open = [...threads];
			for (const thread of open) thread.terminate(closed);
			await Promise.all(open.map(({ exited }) => exited));
		},
	};
}
