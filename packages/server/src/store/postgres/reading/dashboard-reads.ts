import { gatherReads, inTurns } from '../../gather.ts';
import type { KeySeal } from '../../secrets/key-seal.ts';
import type { DashboardReads } from '../../tables/people/dashboard.ts';
import { KEY_COLUMNS, type SearchedKey } from '../../tables/people/person.ts';
import { type FindPersonId, personReads } from '../../tables/people/reads.ts';
import { POSTGRES_JSON } from '../writing/person-batch.ts';
import type { Read } from './reading.ts';

/** People have connections of their own, so that their reads wait for no others, and no others for theirs. */
export const DASHBOARD_CONNECTIONS = 2;

/** How many keys one query looks for. It leaves the other connection to those who were found. */
const KEYS = { atOnce: 1, most: 256 } as const;

export function postgresDashboardReads(read: Read, seal: KeySeal): DashboardReads {
	const findId: FindPersonId = gatherReads(
		(keys: readonly SearchedKey[]) => findIds(read, keys),
		(id) => id,
		// Whose key it is, is not known before it is found, so each key is an owner of its own.
		{ ownerOf: ({ value }) => value, ...KEYS },
	);
	const ownedRead = inTurns(({ sql, values }) => read(sql, values), { atOnce: DASHBOARD_CONNECTIONS });
	return personReads(findId, ownedRead, seal, POSTGRES_JSON);
}

const PLACES = Object.entries(KEY_COLUMNS) as readonly [SearchedKey['by'], (typeof KEY_COLUMNS)[SearchedKey['by']]][];

const FIND_IDS = PLACES.map(
	([by, { table, key, person }], index) =>
		`SELECT '${by}' AS by, ${key} AS value, ${person} AS person FROM ${table} WHERE ${key} = ANY($${index + 1})`,
).join(' UNION ALL ');

async function findIds(read: Read, keys: readonly SearchedKey[]): Promise<(string | undefined)[]> {
	const values = PLACES.map(([by]) => keys.filter((key) => key.by === by).map(({ value }) => value));
	const rows = await read<SearchedKey & { readonly person: string }>(FIND_IDS, values);
	const ids = new Map(rows.map(({ by, value, person }) => [`${by} ${value}`, person]));
	return keys.map(({ by, value }) => ids.get(`${by} ${value}`));
}
