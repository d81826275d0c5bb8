import type { Invitation } from '../../../domain/people/person.ts';
import type { OwnedRead } from '../../read-lanes.ts';
import type { KeySeal } from '../../secrets/key-seal.ts';
import type { JsonFunctions, SharedStatement } from '../../statement.ts';
import type { PeopleQuery } from '../reports/operator.ts';
import type { StoredToken } from '../tokens/tokens.ts';
import { STORED_TOKEN_COLUMNS } from '../tokens/tokens.ts';
import type { DashboardReads, NumberedAct } from './dashboard.ts';
import { ROLE } from './known-people.ts';
import { LIVE_SESSIONS, liveSessionsAt } from './live-sessions.ts';
import { CLAIMS, OPERATORS, personOf, readPerson, type SearchedKey } from './person.ts';

/** Finds the id of the person with a key. Anybody may send any number of keys, so this costs little. */
export type FindPersonId = (key: SearchedKey) => Promise<string | undefined>;

/**
 * The reads of the dashboard, for any engine. First the id of the person with a key is looked up, which costs little. The
 * record is read only if there is such a person, when it is that person's turn. So requests with invented keys delay
 * nobody. The key may have changed hands in between, so it is looked for in the record again.
 */
export function personReads(findId: FindPersonId, read: OwnedRead, seal: KeySeal, json: JsonFunctions): DashboardReads {
	async function find(by: SearchedKey['by'], value: string) {
		const id = await findId({ by, value });
		return id === undefined ? undefined : findById(id);
	}

	async function findById(id: string) {
		const [row] = await read({ owner: id, statement: readPerson({ by: 'id', value: id }, json) });
		return personOf(row, seal);
	}

	async function findClaim(owner: string, hash: string) {
		const sql = `${CLAIMS} AND hash = $1 AND NOT EXISTS (${OPERATORS})`;
		const [claim] = await read({ owner, statement: { sql, values: [hash] } });
		return claim && { invitation: claim as Invitation, person: undefined };
	}

	return {
		async findSession(hash) {
			const record = await find('session', hash);
			const session = record?.sessions.find((each) => each.hash === hash);
			return record && session && { session, record };
		},
		findPersonByEmail: (email) => find('email', email),
		async findPersonByPasskey(id) {
			const record = await find('passkey', id);
			return record?.passkeys.some((passkey) => passkey.id === id) ? record : undefined;
		},
		async findInvitation(hash) {
			const id = await findId({ by: 'link', value: hash });
			if (id === undefined) return undefined;
			const record = await findById(id);
			if (!record) return findClaim(id, hash);
			const { invitation, person } = record;
			return invitation?.hash === hash ? { invitation, person } : undefined;
		},
		async listActs(person, before, limit) {
			const sql = `SELECT number, id, person, session, address, kind, target, at_ms AS "atMs" FROM acts
				WHERE person = $1 AND number < $2 ORDER BY number DESC LIMIT $3`;
			return (await read({ owner: person, statement: { sql, values: [person, before, limit] } })) as NumberedAct[];
		},
		async listTokens(reseller, owner = reseller) {
			const sql = `SELECT ${STORED_TOKEN_COLUMNS} FROM tokens WHERE reseller = $1 ORDER BY made_at_ms, hash`;
			return (await read({ owner, statement: { sql, values: [reseller] } })) as StoredToken[];
		},
	};
}

/** The state of a person in a list, and whether there is a second factor. */
export const PERSON_STATE = `
	CASE WHEN locked_at_ms IS NOT NULL THEN 'locked' WHEN password_hash IS NULL THEN 'invited' ELSE 'active' END AS state,
	CASE WHEN EXISTS (SELECT 1 FROM one_time_codes WHERE person = people.id)
		OR EXISTS (SELECT 1 FROM passkeys WHERE person = people.id) THEN 1 ELSE 0 END AS "secondFactor"`;

/** Comes after every character of an address. No address has it. */
const AFTER_ALL = '\u{10ffff}';

/** A page of all people, for any engine. */
export function findPeople(
	{ search = '', of, after, descends = false, limit }: PeopleQuery,
	nowMs: number,
): SharedStatement {
	// A position that no address of the search can have counts as none.
	const position = after?.startsWith(search) ? after : undefined;
	const first = descends ? undefined : position;
	const end = descends ? position : undefined;
	const isOf = of === undefined ? '' : `AND reseller IS ${of === 'operators' ? '' : 'NOT '}NULL`;
	return {
		sql: `SELECT email, reseller, ${ROLE}, ${PERSON_STATE},
			(SELECT count(*) FROM sessions WHERE person = people.id AND ${LIVE_SESSIONS}) AS sessions,
			(SELECT max(last_seen_at_ms) FROM sessions WHERE person = people.id AND ${LIVE_SESSIONS}) AS "lastSeenAtMs"
			FROM people WHERE email ${first === undefined ? '>=' : '>'} $5 AND email < $6 ${isOf}
			ORDER BY email ${descends ? 'DESC' : ''} LIMIT $7`,
		values: [...liveSessionsAt(nowMs), first ?? search, end ?? search + AFTER_ALL, limit],
	};
}

/** A person in a list, as engines read it. */
export type PersonListRow<Listed> = Omit<Listed, 'secondFactor'> & { readonly secondFactor: 0 | 1 };

export function listedPerson<Listed>(row: PersonListRow<Listed>) {
	return { ...row, secondFactor: row.secondFactor === 1 };
}
