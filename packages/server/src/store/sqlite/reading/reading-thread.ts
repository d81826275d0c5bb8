import { parentPort, workerData } from 'node:worker_threads';
import type { SharedStatement } from '../../statement.ts';
import type { LedgerVerification } from '../../tables/ledger/verifications.ts';
import { type Connection, openReader } from '../database/connection.ts';
import { prepareStatements } from '../rows.ts';
import { serveCalls, type ThreadReply, type ThreadStart } from '../thread.ts';
import { verifyLedger } from './reading.ts';
import { yieldProcessor } from './yield-processor.ts';

/** The functions of a thread that reads for long. */
export interface ReadingFunctions {
	read(statement: SharedStatement): readonly object[];
	verifyLedger(): LedgerVerification;
}

/**
 * A thread that only reads, so that the thread that talks to clients does not wait for long reads. Clients and the
 * writer get the processor first.
 */
if (parentPort) {
	const port = parentPort;
	const start = workerData as ThreadStart<{ readonly file: string }>;
	yieldProcessor();
	const connection = openReader(start.data.file);
	const { read } = prepareStatements(connection);
	const functions: ReadingFunctions = {
		read,
		verifyLedger() {
			makeInterruptible(connection);
			const onProgress = (...progress: number[]) => port.postMessage({ progress } satisfies ThreadReply);
			return verifyLedger(connection, onProgress);
		},
	};
	serveCalls(port, functions, start);
}

/**
 * A thread can be ended only where SQLite calls JavaScript. So every thousandth row that a query reads from the ledger
 * calls a function that does nothing.
 */
function makeInterruptible(connection: Connection): void {
	connection.function('goes_on', () => 1);
	connection.exec('CREATE TEMP VIEW transfers AS SELECT * FROM main.transfers WHERE position % 1000 <> 0 OR goes_on()');
}
