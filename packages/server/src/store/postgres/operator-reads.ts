import type { OperatorReads } from '../operator-reads.ts';
import { listPeople } from '../person-reads.ts';
import type { Read } from './reading.ts';

export function postgresOperatorReads(read: Read, nowMs: () => number): Omit<OperatorReads, 'verifyLedger'> {
	return { listPeople: listPeople(({ sql, values }) => read(sql, values), nowMs) };
}
