import type { DashboardReads } from '../dashboard-reads.ts';
import { gatherReads } from '../gather.ts';
import type { KeySeal } from '../key-seal.ts';
import { personReads } from '../person-reads.ts';
import type { SharedStatement } from '../person-rows.ts';
import type { Connection } from './connection.ts';
import { orUnavailable } from './reading.ts';
import { prepareShared, SQLITE_JSON } from './shared-statements.ts';

/** How much is read in one turn of the event loop: about one millisecond. */
const READS_IN_A_TURN = 16;

export function sqliteDashboardReads(connection: Connection, seal: KeySeal): DashboardReads {
	const { read } = prepareShared(connection);
	const ownedRead = gatherReads(
		orUnavailable((asked: readonly { readonly statement: SharedStatement }[]) =>
			asked.map(({ statement }) => read(statement)),
		),
		(rows) => rows,
		{
			ownerOf: ({ owner }: { readonly owner: string; readonly statement: SharedStatement }) => owner,
			most: READS_IN_A_TURN,
		},
	);
	return personReads(ownedRead, seal, SQLITE_JSON);
}
