import type { RecordedAct } from '../../../domain/people/act.ts';
import type { Columns } from '../../statement.ts';
import { type FoundRows, givenRows, type InsertedRows } from '../../statement.ts';
import { EMAIL, joinPeople, RESELLER } from '../people/known-people.ts';

/** The columns of an act, for both engines. Who did it is in the columns that its kind of act has. */
const ACTS: Columns<RecordedAct> = {
	id: ['text', ({ id }) => id],
	kind: ['text', ({ kind }) => kind],
	target: ['text', ({ target }) => target],
	request_id: ['text', ({ requestId }) => requestId],
	at_ms: ['bigint', ({ atMs }) => atMs],
	person: ['text', (act) => ('person' in act ? act.person : null)],
	session: ['text', (act) => ('session' in act ? act.session : null)],
	address: ['text', (act) => ('address' in act ? act.address : null)],
	reseller: ['text', ({ reseller }) => reseller],
	token_tail: ['text', (act) => ('tokenTail' in act ? act.tokenTail : null)],
	os_user: ['text', (act) => ('systemUser' in act ? act.systemUser : null)],
};

/** Adds an act, as a statement for one row with `$1`, `$2` and so on. */
export const ADD_ACT = `INSERT INTO acts (${Object.keys(ACTS).join(', ')})
	VALUES (${Object.keys(ACTS)
		.map((_, index) => `$${index + 1}`)
		.join(', ')})`;

export function actValues(act: RecordedAct): readonly (string | number | null)[] {
	return Object.values(ACTS).map(([, read]) => read(act) as string | number | null);
}

export interface StoredAct {
	readonly number: number;
	readonly kind: string;
	readonly target: string;
	readonly atMs: number;
	readonly requestId: string;
	/** Where it came from; `null` for the command line. */
	readonly address: string | null;
	/** Of a person. */
	readonly email: string | null;
	/** Whose person or program did it, or which one an act of an operator is about; `null` for none. */
	readonly reseller: string | null;
	/** Of the person; `null` for an operator. */
	readonly emailReseller: string | null;
	/** Of a program. */
	readonly tokenTail: string | null;
	/** Of the command line. */
	readonly systemUser: string | null;
}

/** Asks for `StoredAct` from a query of rows of `acts`. */
export function selectActs(rows: string): string {
	return `SELECT page.number, page.kind, page.target, page.at_ms AS "atMs", page.request_id AS "requestId", page.address,
		${EMAIL} AS email, COALESCE(page.reseller, ${RESELLER}) AS reseller,
		${RESELLER} AS "emailReseller", page.token_tail AS "tokenTail",
		page.os_user AS "systemUser"
		FROM (${rows}) AS page ${joinPeople('page.person')}`;
}

/** Finds those of the acts that are recorded. */
export function findingActs(ids: readonly string[]): readonly FoundRows[] {
	if (ids.length === 0) return [];
	return [{ table: 'acts', columns: 'id', keys: givenRows(ids, { id: ['text', (id) => id] }) }];
}

export function addingActs(acts: readonly RecordedAct[]): readonly InsertedRows[] {
	return acts.length === 0 ? [] : [{ into: 'acts', rows: givenRows(acts, ACTS) }];
}
