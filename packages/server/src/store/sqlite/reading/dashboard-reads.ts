import { gatherReads, inTurns } from '../../gather.ts';
import type { KeySeal } from '../../secrets/key-seal.ts';
import type { DashboardReads } from '../../tables/people/dashboard.ts';
import { personIdBy, type SearchedKey } from '../../tables/people/person.ts';
import { type FindPersonId, personReads } from '../../tables/people/reads.ts';
import type { Connection } from '../database/connection.ts';
import { orUnavailable } from './reading.ts';
import { prepareShared, SQLITE_JSON } from './shared-statements.ts';

/** How much is read in one turn of the event loop: about one millisecond of each. */
const KEYS_IN_A_TURN = 64;
const READS_IN_A_TURN = 16;

export function sqliteDashboardReads(connection: Connection, seal: KeySeal): DashboardReads {
	const { read } = prepareShared(connection);
	const findId: FindPersonId = gatherReads(
		orUnavailable((keys: readonly SearchedKey[]) =>
			keys.map(({ by, value }) => read({ sql: personIdBy(by), values: [value] })),
		),
		([row]) => (row as { readonly person: string } | undefined)?.person,
		{ ownerOf: ({ value }) => value, most: KEYS_IN_A_TURN },
	);
	return personReads(findId, inTurns(orUnavailable(read), { most: READS_IN_A_TURN }), seal, SQLITE_JSON);
}
