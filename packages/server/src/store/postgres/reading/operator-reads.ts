import { listPeople } from '../../people/person-reads.ts';
import type { OperatorReads } from '../../reads/operator-reads.ts';
import type { Read } from './reading.ts';

export function postgresOperatorReads(read: Read, nowMs: () => number): Omit<OperatorReads, 'verifyLedger'> {
	return { listPeople: listPeople(({ sql, values }) => read(sql, values), nowMs) };
}
