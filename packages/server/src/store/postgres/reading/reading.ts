import { HEAVY_READ_MS } from '../../read-lanes.ts';
import { StoreUnavailableError } from '../../store.ts';
import { beginReading, runAlone } from '../database/beginning.ts';
import { type Connections, type Lease, RETRY_MS } from '../database/connections.ts';
import { faultKind } from '../database/faults.ts';
import { LIMITS } from '../database/limits.ts';

/** Reads rows in a statement of its own. It sees everything that was committed before it began. */
export type Read = <Row extends object>(sql: string, values: readonly unknown[]) => Promise<readonly Row[]>;

const BEGIN = beginReading({ idleMs: LIMITS.idleMs });

/**
 * Reads, and reads again within the time limit if a connection is lost. Rejects with `StoreUnavailableError`, or with the
 * fault itself if to ask again does not help.
 */
export function readingFrom(connections: Connections): Read {
	return async <Row extends object>(sql: string, values: readonly unknown[]) => {
		const giveUpAtMs = performance.now() + LIMITS.readMs;
		for (;;) {
			try {
				return (await runAlone<Row>(connections, giveUpAtMs, { begin: BEGIN, sql, values, end: 'ROLLBACK' })).rows;
			} catch (cause) {
				// With less time, another attempt would only hide this cause.
				if (faultKind(cause) === 'again' && performance.now() + RETRY_MS < giveUpAtMs) continue;
				throw faultKind(cause) === 'defect'
					? cause
					: new StoreUnavailableError('the database cannot be read', { cause });
			}
		}
	};
}

/** The database may answer this much later than it should end a report, in milliseconds. */
const LATE_ANSWER_MS = 2_000;

/** Reads that may take long: the database ends one after the limit. They are not repeated. */
export function reportingFrom(connections: Connections, limitMs = HEAVY_READ_MS): Read {
	// With more processes a report comes sooner, but takes twice the processor time, which movements of money then lack.
	const alone = 'SET LOCAL max_parallel_workers_per_gather = 0';
	const begin = `${beginReading({ idleMs: LIMITS.idleMs, statementMs: limitMs })}; ${alone}`;
	return async <Row extends object>(sql: string, values: readonly unknown[]) => {
		let lease: Lease | undefined;
		let tooLate: NodeJS.Timeout | undefined;
		try {
			lease = await connections.acquire(performance.now() + LIMITS.readMs);
			await lease.query(begin);
			// A report that is slow says nothing about the other connections, so it has a limit of its own.
			lease.unlimit();
			tooLate = setTimeout(lease.destroy, limitMs + LATE_ANSWER_MS);
			const [{ rows }] = await Promise.all([lease.query<Row>(sql, values), lease.query('ROLLBACK')]);
			lease.release();
			return rows;
		} catch (cause) {
			lease?.destroy();
			throw faultKind(cause) === 'defect'
				? cause
				: new StoreUnavailableError('the report could not be read', { cause });
		} finally {
			clearTimeout(tooLate);
		}
	};
}
