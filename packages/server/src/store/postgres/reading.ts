import { StoreUnavailableError } from '../store.ts';
import { beginReading, runAlone } from './beginning.ts';
import type { Connections } from './connections.ts';
import { faultKind } from './faults.ts';
import { LIMITS } from './limits.ts';

/** The columns of an `AccountRow`. */
export const ACCOUNT_COLUMNS = `reseller, username, balance_cents AS "balanceCents", sealed_auth_key AS "sealedAuthKey",
	created_at_ms AS "createdAtMs"`;

/** Reads rows in a statement of its own. It sees everything that was committed before it began. */
export type Read = <Row extends object>(sql: string, values: readonly unknown[]) => Promise<readonly Row[]>;

const BEGIN = beginReading({ idleMs: LIMITS.idleMs });

/** Reads, and reads again within the time limit if a connection is lost. Rejects with `StoreUnavailableError`. */
export function readingFrom(connections: Connections): Read {
	return async <Row extends object>(sql: string, values: readonly unknown[]) => {
		const giveUpAt = performance.now() + LIMITS.readMs;
		for (;;) {
			try {
				return (await runAlone<Row>(connections, giveUpAt, { begin: BEGIN, sql, values, end: 'ROLLBACK' })).rows;
			} catch (cause) {
				if (faultKind(cause) === 'again' && performance.now() < giveUpAt) continue;
				throw new StoreUnavailableError('the database cannot be read', { cause });
			}
		}
	};
}
