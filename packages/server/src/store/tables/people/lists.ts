import type { Role } from '@bursar/contract/dashboard';
import { OPERATORS, quickReads, type ReadLanes } from '../../read-lanes.ts';
import type { ListedPerson, PeopleQuery } from '../reports/operator.ts';
import { ROLE } from './known-people.ts';
import { LIVE_SESSIONS, liveSessionsAt } from './live-sessions.ts';
import { findPeople, listedPerson, PERSON_STATE, type PersonListRow } from './reads.ts';

/** Lists of people. Each read throws `StoreUnavailableError` if the store cannot be asked. */
export interface PeopleListReads {
	/** The people of a reseller, or the operators, by e-mail address. `owner` is whose read it is, if not the operators'. */
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
