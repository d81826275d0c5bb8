import type { OperatorReads } from '../operator-reads.ts';
import { listPeople } from '../person-reads.ts';
import type { Connection } from './connection.ts';
import { reading } from './reading.ts';
import { prepareShared } from './shared-statements.ts';

export function sqliteOperatorReads(connection: Connection): Omit<OperatorReads, 'verifyLedger'> {
	return { listPeople: listPeople(reading(prepareShared(connection).read), Date.now) };
}
