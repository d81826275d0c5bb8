import type { Reader } from '../../reading.ts';
import { StoreUnavailableError } from '../../reading.ts';
import type { ReadingEngine, ReadLimits } from '../../reads.ts';
import { firstNumberAt } from '../../search.ts';
import type { AccountName, AccountRow } from '../../tables/accounts/account.ts';
import type { FindAccounts } from '../../tables/accounts/reads.ts';
import { verifying } from '../../tables/ledger/checks.ts';
import type { NearMovements } from '../../tables/ledger/sums.ts';
import type { LedgerVerification } from '../../tables/ledger/verifications.ts';
import type { Connection } from '../database/connection.ts';
import { prepareStatements, runSteps, SQLITE_JSON } from '../rows.ts';
import { isMachineFault } from '../writing/transaction.ts';
import { findingPairs } from './pairs.ts';

/**
 * How much is read in one turn of the event loop: about a millisecond of each kind, so that other work does not wait longer,
 * however many reads there are. Pairs with a limit of all time take a few. Each read is a short query on the calling
 * thread, and no writer waits for it.
 * @bound Reads in one turn of the event loop on SQLite, by kind: the rest waits for the next turn.
 */
const LIMITS: ReadLimits = {
	accounts: { most: 256 },
	usage: { most: 16 },
	changes: { most: 256 },
	lists: { most: 1 },
	tokens: { most: 256 },
	keys: { most: 64 },
	people: { most: 16 },
	pages: { most: 8 },
	reports: { most: 1 },
	pairs: { most: 64 },
};

/** Quick reads run on the calling thread, reports in a thread of their own. */
export function sqliteReading(connection: Connection, readReport: Reader['read']): ReadingEngine {
	const reader = sqliteReader(connection);
	return {
		readers: { resellers: reader, credentials: reader, dashboard: reader, edges: reader },
		readReport,
		limits: LIMITS,
		json: SQLITE_JSON,
		near: nearMovements,
		findAccounts: orUnavailable(prepareFindAccounts(connection)),
		findingPairs,
		nowMs: Date.now,
	};
}

export function sqliteReader(connection: Connection): Reader {
	const { read, readEach } = prepareStatements(connection);
	const inSnapshot = prepareSnapshot(connection);
	return { read: orUnavailable(read), readEach: orUnavailable((each) => inSnapshot(() => readEach(each))) };
}

/** Reads many rows in one transaction, because to take and release a snapshot costs more than a read. */
function prepareSnapshot(connection: Connection) {
	const begin = connection.prepare('BEGIN');
	const end = connection.prepare('COMMIT');
	return <Result>(read: () => Result): Result => {
		begin.run();
		try {
			return read();
		} finally {
			if (connection.inTransaction) end.run();
		}
	};
}

/** Turns failures of the machine into `StoreUnavailableError`: a read that failed did nothing. */
export function orUnavailable<Args extends readonly unknown[], Result>(read: (...args: Args) => Result) {
	return (...args: Args): Result => {
		try {
			return read(...args);
		} catch (cause) {
			if (isMachineFault(cause)) throw new StoreUnavailableError('the database cannot be read', { cause });
			throw cause;
		}
	};
}

function prepareFindAccounts(connection: Connection): FindAccounts {
	// Raw, because SQLite would make each name of a row object anew.
	const find = connection
		.prepare<[string, string], [number, string, number]>(
			'SELECT balance_cents, sealed_auth_key, created_at_ms FROM live_accounts WHERE reseller = ? AND username = ?',
		)
		.raw();
	const inSnapshot = prepareSnapshot(connection);

	function findRow({ reseller, username }: AccountName): AccountRow | undefined {
		const row = find.get(reseller, username);
		if (!row) return undefined;
		const [balanceCents, sealedAuthKey, createdAtMs] = row;
		return { reseller, username, balanceCents, sealedAuthKey, createdAtMs };
	}

	return (names) => inSnapshot(() => names.map(findRow));
}

/** How far the clock may have been set back, in milliseconds, and each movement is still found. */
const CLOCK_SET_BACK_MS = 60 * 60_000;

/** Movements have no index of their times, but their positions grow with time. */
const nearMovements: NearMovements = ({ fromMs, toMs }, bind) => {
	const first = (atMs: number) => `(${firstNumberAt({ name: 'transfers', number: 'position' }, atMs, bind)})`;
	const from = `AND position >= ${first(fromMs - CLOCK_SET_BACK_MS)}`;
	return toMs === undefined ? from : `${from} AND position < ${first(toMs + CLOCK_SET_BACK_MS)}`;
};

/** Recomputes every balance from the ledger, in one snapshot. Others may write meanwhile. */
export function verifyLedger(
	connection: Connection,
	onProgress: (done: number, steps: number) => void = () => {},
): LedgerVerification {
	connection.exec('BEGIN');
	try {
		return runSteps(verifying(onProgress), prepareStatements(connection).read);
	} finally {
		connection.exec('ROLLBACK');
	}
}
