import { accountOfAct } from '@bursar/contract/act-details';
import type { RecordedAct } from '../../../domain/people/act.ts';
import { filesOf, OPERATORS, type ReadLanes } from '../../reading.ts';
import {
	type Bind,
	pageOf,
	ROWS_IN_A_STEP,
	type RowSearch,
	type SearchedPage,
	type SearchedRange,
	type SearchStep,
	searchRows,
	statementOf,
} from '../../search.ts';
import type { Columns } from '../../statement.ts';
import { type FoundRows, givenRows, type InsertedRows } from '../../statement.ts';
import { anywhere } from '../accounts/names.ts';
import { EMAIL, joinPeople, RESELLER } from '../people/known-people.ts';

/**
 * The columns of an act, for both engines. Who did it is in the columns that its kind of act has. The page makes the id of
 * what a person does, so that a repeat is found. What a program moved is only in `transfers`.
 */
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
	operator_token: ['text', (act) => ('operatorToken' in act ? act.operatorToken : null)],
	os_user: ['text', (act) => ('systemUser' in act ? act.systemUser : null)],
	username: ['text', accountOfAct],
	details: ['text', ({ details }) => (details === undefined ? null : JSON.stringify(details))],
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
	/** As `readActDetails` reads it; `null` if there are none. */
	readonly details: string | null;
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
	/** Of a program of the operator. */
	readonly operatorToken: string | null;
	/** Of the command line. */
	readonly systemUser: string | null;
}

/** Asks for `StoredAct` from a query of rows of `acts`. */
export function selectActs(rows: string): string {
	return `SELECT page.number, page.kind, page.target, page.details, page.at_ms AS "atMs", page.request_id AS "requestId", page.address,
		${EMAIL} AS email, COALESCE(page.reseller, ${RESELLER}) AS reseller,
		${RESELLER} AS "emailReseller", page.token_tail AS "tokenTail",
		page.operator_token AS "operatorToken",
		page.os_user AS "systemUser"
		FROM (${rows}) AS page ${joinPeople('page.person')}`;
}

/** Finds which of the acts are recorded. */
export function findingActs(ids: readonly string[]): readonly FoundRows[] {
	return [{ table: 'acts', columns: 'id', keys: givenRows(ids, { id: ['text', (id) => id] }) }];
}

export function addingActs(acts: readonly RecordedAct[]): readonly InsertedRows[] {
	return [{ into: 'acts', rows: givenRows(acts, ACTS) }];
}

/** What pages and files read of acts. Each read throws `StoreUnavailableError` if the store cannot be asked. */
export interface ActReads {
	/** A step through acts for files, the oldest first. A step with a filter may find none. */
	searchActsAfter(
		query: ActsAfterQuery,
	): Promise<{ readonly rows: readonly StoredAct[]; readonly nextAfter: number | null }>;
	/** The act with this id. */
	findAct(id: string): Promise<StoredAct | undefined>;
	/** The acts of a request; of all resellers, if none is given. */
	findActsOfRequest(reseller: string | null, requestId: string, limit: number): Promise<readonly StoredAct[]>;
	/**
	 * Whether one of the newest `ROWS_IN_A_STEP` acts came from an address, and how many were looked at, if there are more.
	 * Of a reseller, acts of operators do not count.
	 */
	findAddress(reseller: string | null, address: string): Promise<{ isKnown: boolean; lookedAt: number | null }>;
	/** A page of acts. Looks at `ROWS_IN_A_STEP` of them at most. */
	searchActs(query: ActQuery): Promise<SearchedPage<StoredAct>>;
}

export interface ActFilters {
	/**
	 * Only acts of this reseller: of its people and programs, and of operators about it. Then `emailPart` is looked for
	 * among its people only. Absent: all acts, for operators.
	 */
	readonly reseller?: string | undefined;
	/** A part of the e-mail address of a person, normalized. The acts of a person with a whole address are found quickly. */
	readonly emailPart?: string | undefined;
	/** Only acts from this address. With `reseller`, not those of operators. */
	readonly address?: string | undefined;
	readonly kind?: string | undefined;
	/** Only acts about this account, of the reseller that has it. An index has them, so that no others are looked at. */
	readonly username?: string | undefined;
}

interface ActQuery extends SearchedRange, ActFilters {}

export interface ActsAfterQuery extends Omit<SearchedRange, 'before'>, ActFilters {
	/** 0 for the first page. */
	readonly after: number;
}

/** The reads of acts, for any engine. A search by kind is heavy. */
export function actReads(lanes: ReadLanes): ActReads {
	return {
		async findAct(id) {
			const statement = { sql: selectActs('SELECT * FROM acts WHERE id = $1'), values: [id] };
			const [act] = (await lanes.quick({ owner: OPERATORS, statement })) as readonly StoredAct[];
			return act;
		},
		async findActsOfRequest(reseller, requestId, limit) {
			const statement = statementOf((bind) => {
				const isOf = reseller === null ? '' : `AND reseller = ${bind(reseller)}`;
				return selectActs(`SELECT * FROM acts WHERE request_id = ${bind(requestId)} ${isOf} LIMIT ${bind(limit)}`);
			});
			return (await lanes.quick({ owner: reseller ?? OPERATORS, statement })) as readonly StoredAct[];
		},
		async findAddress(reseller, address) {
			const [owner, whose] = reseller === null ? [OPERATORS, {}] : [reseller, { reseller }];
			const range = { before: Number.MAX_SAFE_INTEGER, limit: 1, descends: true };
			const { rows, next } = await findActs(lanes, { ...whose, ...range, address, owner });
			return { isKnown: rows.length > 0, lookedAt: rows.length === 0 && next ? ROWS_IN_A_STEP : null };
		},
		async searchActs(query) {
			const { reseller: owner = OPERATORS } = query;
			return pageOf(await findActs(lanes, { ...query, owner, descends: true }));
		},
		async searchActsAfter(query) {
			const { reseller: owner = OPERATORS } = query;
			const heavyOnly = { quick: lanes.heavy, heavy: lanes.heavy };
			const { rows, next } = await findActs(heavyOnly, { ...query, owner: filesOf(owner), descends: false });
			return { rows, nextAfter: next?.number ?? null };
		},
	};
}

type ActSearch = Omit<RowSearch, 'table' | 'filters' | 'select'> & ActFilters;

/** Looks for acts, in one step. */
async function findActs(
	lanes: ReadLanes,
	{ reseller, emailPart, address, kind, username, ...search }: ActSearch,
): Promise<SearchStep<StoredAct>> {
	const isOf = reseller ?? (username === undefined ? undefined : await findOwner(lanes, username, search));
	if (username !== undefined && isOf === undefined) return { rows: [], next: null };
	const person =
		emailPart === undefined || username !== undefined
			? undefined
			: await findOnly(lanes, { emailPart, reseller, ...search });
	return searchRows<StoredAct>(lanes, {
		...search,
		table: {
			name: 'acts',
			number: 'number',
			of: person === undefined ? valuesOf({ reseller: isOf, username }) : [{ column: 'person', value: person }],
		},
		filters: [
			...(kind === undefined ? [] : [(bind: Bind) => `kind = ${bind(kind)}`]),
			...(address === undefined ? [] : [(bind: Bind) => isFrom(address, reseller, bind)]),
			...(emailPart === undefined || person !== undefined
				? []
				: [
						(bind: Bind) =>
							hasEmailPart(bind(anywhere(emailPart)), reseller === undefined ? undefined : bind(reseller)),
					]),
		],
		select: selectActs,
	});
}

function valuesOf(values: Readonly<Record<string, string | undefined>>) {
	return Object.entries(values).flatMap(([column, value]) => (value === undefined ? [] : [{ column, value }]));
}

/** The reseller of an account, also of a deleted one. */
async function findOwner({ quick }: ReadLanes, username: string, { owner }: Pick<RowSearch, 'owner'>) {
	const statement = { sql: 'SELECT reseller FROM usernames WHERE username = $1', values: [username] };
	const [found] = (await quick({ owner, statement })) as readonly { readonly reseller: string }[];
	return found?.reseller;
}

/** The id of the only person who has, or had, this whole address: an index has the acts of each person. */
async function findOnly(
	{ quick }: ReadLanes,
	{
		owner,
		emailPart,
		reseller,
	}: Pick<RowSearch, 'owner'> & { readonly emailPart: string; readonly reseller?: string | undefined },
): Promise<string | undefined> {
	const statement = statementOf((bind) => {
		const isOf = `email = ${bind(emailPart)}${reseller === undefined ? '' : ` AND reseller = ${bind(reseller)}`}`;
		return `SELECT id FROM people WHERE ${isOf} UNION ALL SELECT id FROM removed_people WHERE ${isOf} LIMIT 2`;
	});
	const found = (await quick({ owner, statement })) as readonly { readonly id: string }[];
	return found.length === 1 ? found[0]?.id : undefined;
}

/** Resellers do not learn from where operators act, not even by asking for an address. */
function isFrom(address: string, reseller: string | undefined, bind: Bind): string {
	const isFromThere = `address = ${bind(address)}`;
	if (reseller === undefined) return isFromThere;
	const isOf = ['people', 'removed_people'].map(
		(table) => `person IN (SELECT id FROM ${table} WHERE reseller = ${bind(reseller)})`,
	);
	return `${isFromThere} AND (token_tail IS NOT NULL OR ${isOf.join(' OR ')})`;
}

function hasEmailPart(pattern: string, reseller: string | undefined): string {
	const isOf = reseller === undefined ? '' : ` AND reseller = ${reseller}`;
	const of = (table: string) => `person IN (SELECT id FROM ${table} WHERE email LIKE ${pattern} ESCAPE '!'${isOf})`;
	return `(${of('people')} OR ${of('removed_people')})`;
}
