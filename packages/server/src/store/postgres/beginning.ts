import type { Connections, Reply } from './connections.ts';

/** Where our tables are, whatever the search path of the role or the database is. */
export const SCHEMA = 'bursar';

/** How long the parts of a transaction may take, in milliseconds. There is no limit where none is given. */
interface TransactionLimits {
	/** Waiting for each lock. */
	readonly lockMs?: number;
	/** Between two statements. */
	readonly idleMs?: number;
}

/**
 * Begins a transaction, and sets all that could change what our statements mean. So it does not matter what the server,
 * the database or the role has set, or another client of the same pooler.
 *
 * BEGIN itself cannot fail. If anything behind it does, the transaction has failed, and none of our statements is run.
 */
function begin(isolation: string, access: string): string {
	return [
		`BEGIN ISOLATION LEVEL ${isolation}`,
		`SET TRANSACTION ${access}`,
		// `pg_catalog` comes before both. In other schemas there may be functions and operators of anybody.
		`SET LOCAL search_path = ${SCHEMA}, pg_temp`,
	].join('; ');
}

/** Begins a transaction that reads what has been committed. A standby refuses it, because it may be behind. */
export function beginReading({ idleMs = 0 }: Pick<TransactionLimits, 'idleMs'>): string {
	return `${begin('READ COMMITTED', 'READ WRITE')}; ${idleLimit(idleMs)}`;
}

/** Begins a transaction whose statements all see the same moment. They may take as long as they take. */
export function beginSnapshot(): string {
	return [begin('REPEATABLE READ', 'READ ONLY'), ...unlimited({})].join('; ');
}

/**
 * Begins a transaction that writes. Its COMMIT is answered once the change is durable. That may have to wait for the
 * standby, and must not be cut short, so no statement is limited.
 */
export function beginWriting(limits: TransactionLimits = {}): string {
	return [
		begin('READ COMMITTED', 'READ WRITE'),
		...unlimited(limits),
		// `remote_apply` promises more than `on`, and stays where it was asked for.
		`SELECT set_config('synchronous_commit', CASE current_setting('synchronous_commit')
		 WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, true)`,
		// A COMMIT that did not wait for the standby warns of it.
		'SET LOCAL client_min_messages = warning',
		// Rows go along as arrays, some with NULL in them.
		'SET LOCAL array_nulls = on',
	].join('; ');
}

function unlimited({ lockMs = 0, idleMs = 0 }: TransactionLimits): readonly string[] {
	return [`SET LOCAL lock_timeout = ${lockMs}`, 'SET LOCAL statement_timeout = 0', idleLimit(idleMs)];
}

function idleLimit(idleMs: number): string {
	return `SET LOCAL idle_in_transaction_session_timeout = ${idleMs}`;
}

/** A statement that is a transaction by itself. */
export interface LoneStatement {
	readonly begin: string;
	readonly sql: string;
	readonly values?: readonly unknown[] | undefined;
	readonly end: 'COMMIT' | 'ROLLBACK';
}

/** Runs it in one round trip. Rejects with `PostgresError`. */
export async function runAlone<Row extends object>(
	connections: Connections,
	giveUpAt: number,
	{ begin, sql, values, end }: LoneStatement,
): Promise<Reply<Row>> {
	const lease = await connections.acquire(giveUpAt);
	try {
		const [, reply] = await Promise.all([lease.query(begin), lease.query<Row>(sql, values), lease.query(end)]);
		lease.release();
		return reply;
	} catch (cause) {
		lease.destroy();
		throw cause;
	}
}
