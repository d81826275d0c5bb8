import type { RequestReads } from '../../tables/ledger/requests.ts';
import { findRequest } from '../../tables/ledger/requests.ts';
import type { OperatorReads } from '../../tables/reports/operator.ts';
import { readState } from '../../tables/reports/operator.ts';
import type { Connection } from '../database/connection.ts';
import { reading } from './reading.ts';
import { prepareShared } from './shared-statements.ts';

export function sqliteOperatorReads(connection: Connection): Omit<OperatorReads, 'verifyLedger'> & RequestReads {
	const read = reading(prepareShared(connection).read);
	return { readState: readState(read), findRequest: findRequest(read) };
}
