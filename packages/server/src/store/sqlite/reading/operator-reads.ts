import { listPeople } from '../../people/person-reads.ts';
import type { OperatorReads } from '../../reads/operator-reads.ts';
import type { Connection } from '../database/connection.ts';
import { reading } from './reading.ts';
import { prepareShared } from './shared-statements.ts';

export function sqliteOperatorReads(connection: Connection): Omit<OperatorReads, 'verifyLedger'> {
	return { listPeople: listPeople(reading(prepareShared(connection).read), Date.now) };
}
