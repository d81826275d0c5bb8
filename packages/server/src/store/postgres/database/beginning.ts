import type { Connections, Reply } from './connections.ts';

/** The schema of our tables, whatever the search path of the role or the database is. */
export const SCHEMA = 'bursar';

/** How long the parts of a transaction that writes may take, in milliseconds. By default there is no limit. */
interface WritingLimits {
	/** Waiting for each lock. */
	readonly lockMs?: number;
	/** Between two statements. */
	readonly idleMs?: number;
}

/** The same for a transaction that reads. It waits for no lock. */
interface ReadingLimits extends Pick<WritingLimits, 'idleMs'> {
	readonly statementMs?: number;
}

/**
 * Begins a transaction, and sets everything that could change what our statements mean. So settings of the server, the
 * database, the role or another client of the same pooler do not matter.
 *
 * BEGIN itself cannot fail. If a statement after it fails, the transaction has failed, and none of our statements runs.
 */
function begin(isolation: string, access: string): string {
	return [
		`BEGIN ISOLATION LEVEL ${isolation}`,
		`SET TRANSACTION ${access}`,
		// PostgreSQL searches `pg_catalog` first. Other schemas may hold functions and operators of other roles.
		`SET LOCAL search_path = ${SCHEMA}, pg_temp`,
	].join('; ');
}

/** Begins a transaction that reads committed data. A standby refuses it, because its data may be old. */
export function beginReading({ idleMs = 0, statementMs }: ReadingLimits): string {
	const limits = [idleLimit(idleMs), ...(statementMs === undefined ? [] : [statementLimit(statementMs)])];
	return [begin('READ COMMITTED', 'READ WRITE'), ...limits].join('; ');
}

/** Begins a transaction whose statements all see the same snapshot. They have no time limit. */
export function beginSnapshot(): string {
	return [begin('REPEATABLE READ', 'READ ONLY'), ...unlimited({})].join('; ');
}

/**
 * Begins a transaction that writes. Its COMMIT is answered once the change is durable. That may have to wait for the
 * standby, and must not be cut short, so statements have no time limit.
 */
export function beginWriting(limits: WritingLimits = {}): string {
	return [
		begin('READ COMMITTED', 'READ WRITE'),
		...unlimited(limits),
		// `remote_apply` promises more than `on`, so it stays if it is set.
		`SELECT set_config('synchronous_commit', CASE current_setting('synchronous_commit')
		 WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, true)`,
		// A COMMIT that did not wait for the standby sends a warning.
		'SET LOCAL client_min_messages = warning',
		// Rows are sent as arrays, some of them with NULL.
		'SET LOCAL array_nulls = on',
	].join('; ');
}

function unlimited({ lockMs = 0, idleMs = 0 }: WritingLimits): readonly string[] {
	return [`SET LOCAL lock_timeout = ${lockMs}`, statementLimit(0), idleLimit(idleMs)];
}

function statementLimit(statementMs: number): string {
	return `SET LOCAL statement_timeout = ${statementMs}`;
}

function idleLimit(idleMs: number): string {
	return `SET LOCAL idle_in_transaction_session_timeout = ${idleMs}`;
}

/** A transaction of one statement. */
export interface LoneStatement {
	readonly begin: string;
	readonly sql: string;
	readonly values?: readonly unknown[] | undefined;
	readonly end: 'COMMIT' | 'ROLLBACK';
}

/** Runs it in one round trip. Rejects with `PostgresError`. */
export async function runAlone<Row extends object>(
	connections: Connections,
	giveUpAtMs: number,
	{ begin, sql, values, end }: LoneStatement,
): Promise<Reply<Row>> {
	const lease = await connections.acquire(giveUpAtMs);
	try {
		const [, reply] = await Promise.all([lease.query(begin), lease.query<Row>(sql, values), lease.query(end)]);
		lease.release();
		return reply;
	} catch (cause) {
		lease.destroy();
		throw cause;
	}
}
