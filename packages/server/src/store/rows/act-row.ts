import type { RecordedAct } from '../../domain/people/act.ts';
import type { Columns } from './given-rows.ts';

/** The columns of an act, for both engines. Who did it is in the columns that its kind of act has. */
export const ACTS: Columns<RecordedAct> = {
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
