import type { SharedStatement } from '../../people/person-rows.ts';
import type { OperatorReads } from '../../reads/operator-reads.ts';
import type { RequestReads } from '../../reads/request-reads.ts';
import { findRequest } from '../../reads/shared-request-reads.ts';
import { readState } from '../../reads/shared-store-state.ts';
import type { Read } from './reading.ts';

export function postgresOperatorReads(read: Read): Omit<OperatorReads, 'verifyLedger'> & RequestReads {
	const readShared = ({ sql, values }: SharedStatement) => read<object>(sql, values);
	return {
		readState: readState(readShared),
		findRequest: findRequest(readShared),
	};
}
