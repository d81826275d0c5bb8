import type { OperatorReads } from '../../reads/operator-reads.ts';
import type { RequestReads } from '../../reads/request-reads.ts';
import { findRequest } from '../../reads/shared-request-reads.ts';
import { readState } from '../../reads/shared-store-state.ts';
import type { Connection } from '../database/connection.ts';
import { reading } from './reading.ts';
import { prepareShared } from './shared-statements.ts';

export function sqliteOperatorReads(connection: Connection): Omit<OperatorReads, 'verifyLedger'> & RequestReads {
	const read = reading(prepareShared(connection).read);
	return { readState: readState(read), findRequest: findRequest(read) };
}
