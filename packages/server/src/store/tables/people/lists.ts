import type { Role } from '@bursar/contract/dashboard';
import { OPERATORS, quickReads, type ReadLanes } from '../../reading.ts';
import { LAST_CHARACTER } from '../../search.ts';
import type { SharedStatement } from '../../statement.ts';
import { ROLE } from './known-people.ts';
import { LIVE_SESSIONS, liveSessionsAt } from './live-sessions.ts';

/** Lists of people. Each read throws `StoreUnavailableError` if the store cannot be asked. */
export interface PeopleListReads {
	/** The people of a reseller, or the operators, by e-mail address. `owner` of the read; default: the operators. */
	listPeopleOf(reseller: string | null, owner?: string): Promise<readonly PersonOfReseller[]>;
	/** A page of all people, by e-mail address. For operators. */
	listPeople(query: PeopleQuery): Promise<readonly ListedPerson[]>;
}

export interface PersonOfReseller {
	readonly email: string;
	/** `null` for an operator. */
	readonly role: Role | null;
	readonly state: 'invited' | 'active' | 'locked';
	readonly secondFactor: boolean;
	readonly lastSeenAtMs: number | null;
}

interface PeopleQuery {
	/** The beginning of the address. Absent: any. */
	readonly search?: string | undefined;
	/** Absent: operators and the people of resellers. */
	readonly of?: 'operators' | 'resellers' | undefined;
	/** The address before the page; `undefined` for the first one. */
	readonly after?: string | undefined;
	readonly descends?: boolean | undefined;
	readonly limit: number;
}

export interface ListedPerson {
	readonly email: string;
	/** `null` for an operator. */
	readonly reseller: string | null;
	/** `null` for an operator. */
	readonly role: Role | null;
	readonly state: 'invited' | 'active' | 'locked';
	readonly secondFactor: boolean;
	/** How many sessions are live. */
	readonly sessions: number;
	/** Unix milliseconds; `null` if the person has no live session. */
	readonly lastSeenAtMs: number | null;
}

export function peopleListReads(lanes: ReadLanes, nowMs: () => number): PeopleListReads {
	const read = quickReads(lanes);

	return {
		async listPeopleOf(reseller, owner = OPERATORS) {
			const sql = `SELECT email, ${ROLE}, ${PERSON_STATE},
				(SELECT max(last_seen_at_ms) FROM sessions WHERE person = people.id AND ${LIVE_SESSIONS}) AS "lastSeenAtMs"
				FROM people WHERE ${reseller === null ? 'reseller IS NULL' : 'reseller = $5'} ORDER BY email`;
			const values = [...liveSessionsAt(nowMs()), ...(reseller === null ? [] : [reseller])];
			const rows = await read<PersonListRow<PersonOfReseller>>(owner, sql, values);
			return rows.map((row) => listedPerson(row));
		},
		async listPeople(query) {
			const { sql, values } = findPeople(query, nowMs());
			const rows = await read<PersonListRow<ListedPerson>>(OPERATORS, sql, values);
			return rows.map((row) => listedPerson(row));
		},
	};
}

/** The state of a person in a list, and whether there is a second factor. */
const PERSON_STATE = `
	CASE WHEN locked_at_ms IS NOT NULL THEN 'locked' WHEN password_hash IS NULL THEN 'invited' ELSE 'active' END AS state,
	CASE WHEN EXISTS (SELECT 1 FROM one_time_codes WHERE person = people.id)
		OR EXISTS (SELECT 1 FROM passkeys WHERE person = people.id) THEN 1 ELSE 0 END AS "secondFactor"`;

/** A page of all people. */
function findPeople({ search = '', of, after, descends = false, limit }: PeopleQuery, nowMs: number): SharedStatement {
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
		values: [...liveSessionsAt(nowMs), first ?? search, end ?? search + LAST_CHARACTER, limit],
	};
}

/** A person in a list, as engines read it. */
type PersonListRow<Listed> = Omit<Listed, 'secondFactor'> & { readonly secondFactor: 0 | 1 };

function listedPerson<Listed>(row: PersonListRow<Listed>) {
	return { ...row, secondFactor: row.secondFactor === 1 };
}
