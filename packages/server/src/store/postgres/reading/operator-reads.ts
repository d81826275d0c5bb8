import type { SharedStatement } from '../../statement.ts';
import type { RequestReads } from '../../tables/ledger/requests.ts';
import { findRequest } from '../../tables/ledger/requests.ts';
import type { OperatorReads } from '../../tables/reports/operator.ts';
import { readState } from '../../tables/reports/operator.ts';
import type { Read } from './reading.ts';

export function postgresOperatorReads(read: Read): Omit<OperatorReads, 'verifyLedger'> & RequestReads {
	const readShared = ({ sql, values }: SharedStatement) => read<object>(sql, values);
	return {
		readState: readState(readShared),
		findRequest: findRequest(readShared),
	};
}
