import type { DashboardReads } from '../dashboard-reads.ts';
import { gatherReads } from '../gather.ts';
import type { KeySeal } from '../key-seal.ts';
import { type OwnedRead, personReads } from '../person-reads.ts';
import { POSTGRES_JSON } from './person-batch.ts';
import type { Read } from './reading.ts';

/** People have connections of their own, so that their reads wait for no others, and no others for theirs. */
export const DASHBOARD_CONNECTIONS = 2;

export function postgresDashboardReads(read: Read, seal: KeySeal): DashboardReads {
	const ownedRead: OwnedRead = gatherReads(
		(asked: readonly Parameters<OwnedRead>[0][]) =>
			Promise.all(asked.map(({ statement: { sql, values } }) => read<object>(sql, values))),
		(rows) => rows,
		{ ownerOf: ({ owner }) => owner, most: 1, atOnce: DASHBOARD_CONNECTIONS },
	);
	return personReads(ownedRead, seal, POSTGRES_JSON);
}
