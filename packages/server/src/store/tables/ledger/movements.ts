import type { MovementNote } from '../../../domain/ledger.ts';
import type { UsageCharge } from '../../../domain/metering.ts';
import type { ReadLanes } from '../../reading.ts';
import { filesOf } from '../../reading.ts';
import type { SearchedPage, SearchedRange } from '../../search.ts';
import {
	type Bind,
	firstNumberAt,
	type NumberedTable,
	pageOf,
	type RowSearch,
	type SearchStep,
	searchRows,
	statementOf,
} from '../../search.ts';
import type { SharedStatement } from '../../statement.ts';
import { CHARGES, IS_DUE } from '../meters/meters.ts';
import { EMAIL, joinPeople, RESELLER } from '../people/known-people.ts';
import {
	isSide,
	type StatementSumQuery,
	type StatementSums,
	type SumRow,
	statementSums,
	sumStatement,
} from './statement-sums.ts';

/**
 * What the dashboard reads about the movements of a reseller's money. Each read throws `StoreUnavailableError` if the
 * store cannot be asked. Resellers take turns. The lane of each read depends on its statement (decision 0001).
 */
export interface MovementReads {
	/** A page of the reseller's movements. Looks at `ROWS_IN_A_STEP` of them at most. */
	listMovements(query: MovementQuery): Promise<SearchedPage<StoredMovement>>;
	/** A step through a reseller's movements for files, the oldest first. A step with a filter may find none. */
	listMovementsAfter(query: MovementsAfterQuery): Promise<MovementStep>;
	/** The same for programs that follow the statement. */
	followMovements(query: Omit<MovementsAfterQuery, 'kind' | 'username' | 'isOwn' | 'except'>): Promise<MovementStep>;
	/** The id of the newest movement, 0 if there is none, and the movement with this id. `undefined`: no such reseller. */
	findMovement(reseller: string, id: number): Promise<FoundMovement | undefined>;
	/** The bandwidth that movements of the kinds `usage` and `debt` are for, by price for each of them. */
	listUsageCharges(query: ChargesQuery): Promise<readonly UsageCharge[]>;
	/**
	 * The number of the reseller's first movement at or after a time. If there is none yet, the number that follows the
	 * newest movement.
	 */
	findMovementAt(query: MovementAtQuery): Promise<number>;
	/** When the reseller's first movement was, in Unix milliseconds. `owner` is the owner of the read. */
	findFirstMovement(reseller: string, owner: string): Promise<number | undefined>;
	/** Adds up movements, `ROWS_IN_A_STEP` at most. */
	sumStatement(query: StatementSumQuery): Promise<StatementSums>;
	/** What an account of the reseller owes for bandwidth. `undefined`: no such account. `owner` is the owner of the read. */
	findUnposted(account: AccountOfRead): Promise<Unposted | undefined>;
}

interface AccountOfRead {
	readonly reseller: string;
	readonly username: string;
	/** The owner of the read. */
	readonly owner: string;
}

/** Bandwidth that an account pays for, and that the ledger does not have yet. All of it is of one moment. */
export interface Unposted {
	/** What the account owes and can pay, in USD cents. */
	readonly cents: number;
	/** The balance after it: the live one. */
	readonly balanceCents: number;
	/** Up and down together. */
	readonly bytes: number;
	/** Since when something is due, in Unix milliseconds; `null` if nothing is. */
	readonly sinceMs: number | null;
	/** The id of the newest movement of the reseller's money. */
	readonly newest: number;
}

interface MovementAtQuery {
	readonly reseller: string;
	/** Unix milliseconds. */
	readonly atMs: number;
	/** The owner of the read. */
	readonly owner: string;
}

export interface MovementQuery extends SearchedRange {
	readonly reseller: string;
	readonly kind?: string | undefined;
	/** Only movements to and from this sub-user, and the fees for it. */
	readonly username?: string | undefined;
	/** Only movements that changed the balance of the reseller itself. */
	readonly isOwn?: boolean | undefined;
	/** No movements of this kind. */
	readonly except?: string | undefined;
	/** Only gives and takes with this reference. */
	readonly reference?: string | undefined;
	/** The owner of the read. Default: the reseller. */
	readonly owner?: string | undefined;
}

export interface StoredMovement {
	/** Its id: counts the movements of its reseller. */
	readonly number: number;
	readonly atMs: number;
	readonly reseller: string;
	readonly kind: string;
	readonly debit: string;
	readonly credit: string;
	/** USD cents. */
	readonly amountCents: number;
	readonly debitBalanceCents: number | null;
	readonly creditBalanceCents: number | null;
	readonly requestId: string;
	/** The reseller's own name for the change that made it. */
	readonly changeId: string | null;
	/** The program that did it over the API; `null` for others. */
	readonly tokenTail: string | null;
	readonly address: string | null;
	/** The program of the operator that did it. */
	readonly operatorToken: string | null;
	/** The user of the operating system who did it on the command line. */
	readonly systemUser: string | null;
	/** Of a create fee: the sub-user's name that was asked for. Of a debt: the account that used the bandwidth. */
	readonly aboutUsername: string | null;
	/** The person on the dashboard who did it, and the person's reseller. */
	readonly email: string | null;
	readonly emailReseller: string | null;
	/** Of a give or a take the reseller's reference, of a payment the operator's or the provider's. */
	readonly reference: string | null;
	/** The operator's reason; `null` if it was no payment. */
	readonly reason: string | null;
	/** What a person noted on a give or a take. */
	readonly note: string | null;
	/** The id of the payment through a provider that it is of. */
	readonly payment: string | null;
}

interface ChargesQuery {
	readonly reseller: string;
	/** The accounts that used bandwidth, and when it was settled. */
	readonly settled: readonly { readonly username: string; readonly atMs: number }[];
	/** The owner of the read. */
	readonly owner: string;
}

interface MovementStep {
	/** The oldest first. */
	readonly rows: readonly StoredMovement[];
	/** Where the next step goes on; `null` if nothing newer can match. */
	readonly nextAfter: number | null;
}

interface FoundMovement {
	readonly newest: number;
	readonly movement: StoredMovement | undefined;
}

export interface MovementsAfterQuery {
	readonly reseller: string;
	/** 0 for the first page. */
	readonly after: number;
	/** Only movements with a smaller number. */
	readonly before?: number | undefined;
	readonly fromMs?: number | undefined;
	readonly toMs?: number | undefined;
	readonly kind?: string | undefined;
	readonly username?: string | undefined;
	/** Only movements that changed the balance of the reseller itself. */
	readonly isOwn?: boolean | undefined;
	/** No movements of this kind. */
	readonly except?: string | undefined;
	/** Only gives and takes with this reference. */
	readonly reference?: string | undefined;
	readonly limit: number;
}

/** The reads of movements, for any engine. A search without filters is quick, but not a step of a file. */
export function movementReads(lanes: ReadLanes): MovementReads {
	return {
		async listMovements({ before, ...query }) {
			return pageOf(
				await findMovements(lanes, {
					...query,
					owner: query.owner ?? query.reseller,
					before,
					descends: true,
				}),
			);
		},
		async listMovementsAfter(query) {
			const heavyOnly = { quick: lanes.heavy, heavy: lanes.heavy };
			const { rows, next } = await findMovements(heavyOnly, {
				...query,
				owner: filesOf(query.reseller),
				descends: false,
			});
			return { rows, nextAfter: next?.number ?? null };
		},
		async followMovements(query) {
			const { rows, next } = await findMovements(lanes, { ...query, owner: query.reseller, descends: false });
			return { rows, nextAfter: next?.number ?? null };
		},
		async findMovement(reseller, id) {
			const statement = { sql: FIND_MOVEMENT, values: [reseller, id] };
			const [row] = (await lanes.quick({ owner: reseller, statement })) as readonly FoundRow[];
			if (!row) return undefined;
			const { newest, ...movement } = row;
			return { newest, movement: movement.number === null ? undefined : (movement as StoredMovement) };
		},
		async listUsageCharges({ settled, ...query }) {
			const charges: UsageCharge[] = [];
			for (let from = 0; from < settled.length; from += CHARGES_AT_ONCE) {
				const statement = findCharges({ ...query, settled: settled.slice(from, from + CHARGES_AT_ONCE) });
				charges.push(...((await lanes.quick({ owner: query.owner, statement })) as readonly UsageCharge[]));
			}
			return charges;
		},
		async findMovementAt({ reseller, atMs, owner }) {
			const statement = statementOf((bind) => `SELECT (${firstNumberAt(transfersOf(reseller), atMs, bind)}) AS number`);
			const [{ number }] = (await lanes.quick({ owner, statement })) as readonly [{ readonly number: number }];
			return number;
		},
		async findFirstMovement(reseller, owner) {
			const [first] = (await lanes.quick({
				owner,
				statement: { sql: FIRST_MOVEMENT, values: [reseller] },
			})) as readonly { readonly atMs: number }[];
			return first?.atMs;
		},
		async sumStatement({ owner, ...query }) {
			return statementSums((await lanes.heavy({ owner, statement: sumStatement(query) })) as readonly SumRow[]);
		},
		async findUnposted({ reseller, username, owner }) {
			const statement = { sql: UNPOSTED, values: [reseller, username] };
			const [row] = (await lanes.quick({ owner, statement })) as readonly Unposted[];
			return row;
		},
	};
}

/** The newest id and the movement are of one moment. */
const FIND_MOVEMENT = `SELECT own.newest_movement AS newest, movement.* FROM accounts AS own
	LEFT JOIN (${selectMovements('SELECT * FROM transfers WHERE reseller = $1 AND id = $2')}) AS movement ON true
	WHERE own.reseller = $1 AND own.username = $1 LIMIT 1`;

type FoundRow = Omit<StoredMovement, 'number'> & {
	/** `null`, as all of the movement, if there is none. */
	readonly number: number | null;
	readonly newest: number;
};

const FIRST_MOVEMENT = 'SELECT at_ms AS "atMs" FROM transfers WHERE reseller = $1 ORDER BY id LIMIT 1';

/** The live balance is what the ledger has less what is due. */
const UNPOSTED = `SELECT accounts.balance_cents - live.balance_cents AS cents, live.balance_cents AS "balanceCents",
	(SELECT CAST(COALESCE(sum(bytes - settled_bytes), 0) AS bigint) FROM meters
		WHERE reseller = $1 AND username = $2 AND ${IS_DUE}) AS bytes,
	(SELECT min(due_since_ms) FROM meters WHERE reseller = $1 AND username = $2 AND ${IS_DUE}) AS "sinceMs",
	own.newest_movement AS newest
	FROM accounts JOIN live_accounts AS live ON live.reseller = accounts.reseller AND live.username = accounts.username
	JOIN accounts AS own ON own.reseller = accounts.reseller AND own.username = accounts.reseller
	WHERE accounts.reseller = $1 AND accounts.username = $2`;

/** For how many movements one statement looks. */
const CHARGES_AT_ONCE = 50;

function findCharges({ reseller, settled }: ChargesQuery): SharedStatement {
	// The number of parameters does not change, so that an engine prepares one statement. No account has an empty name.
	const wanted = Array.from({ length: CHARGES_AT_ONCE }, (_, index) => settled[index] ?? { username: '', atMs: 0 });
	return statementOf((bind) => {
		const values = wanted.map(
			({ username, atMs }) => `(CAST(${bind(username)} AS text), CAST(${bind(atMs)} AS bigint))`,
		);
		return `WITH wanted (name, settled_at_ms) AS (VALUES ${values.join(', ')})
			${CHARGES} JOIN (SELECT DISTINCT * FROM wanted) AS paid ON paid.name = username AND paid.settled_at_ms = at_ms
			WHERE reseller = ${bind(reseller)} ORDER BY at_ms, username, price`;
	});
}

type MovementSearch = Omit<RowSearch, 'table' | 'filters' | 'select'> &
	Pick<MovementQuery, 'reseller' | 'kind' | 'username' | 'isOwn' | 'except' | 'reference'>;

/** Looks for movements of a reseller's money, in one step. */
async function findMovements(
	lanes: ReadLanes,
	{ reseller, kind, username, reference, isOwn, except, ...search }: MovementSearch,
): Promise<SearchStep<StoredMovement>> {
	const { rows, next } = await searchRows<StoredMovement>(lanes, {
		...search,
		table: { ...transfersOf(reseller, reference), where: isOwn ? IS_OWN : undefined },
		filters: [
			...(kind === undefined ? [] : [(bind: Bind) => `kind = ${bind(kind)}`]),
			...(username === undefined ? [] : [(bind: Bind) => isSide(bind(username))]),
			...(except === undefined ? [] : [(bind: Bind) => `kind <> ${bind(except)}`]),
		],
		select: selectMovements,
	});
	return { rows: onceEach(rows), next };
}

/** The index `transfers_of_own_balance` has the rows of this condition. */
const IS_OWN = '(debit = reseller OR credit = reseller)';

function transfersOf(reseller: string, reference?: string): NumberedTable {
	const of = [{ column: 'reseller', value: reseller }];
	if (reference !== undefined) of.push({ column: 'reference', value: reference });
	return { name: 'transfers', number: 'id', of };
}

/** Only people write notes on movements, so they are few. */
export function addingNotes(notes: readonly MovementNote[]): readonly SharedStatement[] {
	return notes.map(addingNote);
}

function addingNote({ requestId, reseller, note }: MovementNote): SharedStatement {
	return {
		sql: 'INSERT INTO movement_notes (request_id, reseller, note) VALUES ($1, $2, $3)',
		values: [requestId, reseller, note],
		rows: 1,
	};
}

/**
 * Asks for `StoredMovement` from a query of rows of `transfers`. Who moved the money is known by the request, unless it
 * was a program. Acts of people of other resellers do not count. A payment may also post bandwidth, which has no reference.
 */
export function selectMovements(rows: string): string {
	return `SELECT page.id AS number, page.at_ms AS "atMs", page.reseller, page.kind, page.debit, page.credit,
		page.amount_cents AS "amountCents", page.debit_balance_cents AS "debitBalanceCents",
		page.credit_balance_cents AS "creditBalanceCents", page.request_id AS "requestId", page.change_id AS "changeId",
		page.token_tail AS "tokenTail", page.address, page.wanted_username AS "aboutUsername", acts.os_user AS "systemUser",
		acts.operator_token AS "operatorToken", ${EMAIL} AS email, ${RESELLER} AS "emailReseller",
		COALESCE(page.reference, top_ups.reference) AS reference, top_ups.reason, movement_notes.note, top_ups.payment
		FROM (${rows}) AS page
		LEFT JOIN acts ON acts.request_id = page.request_id
		${joinPeople('acts.person', 'page.reseller')}
		LEFT JOIN top_ups ON top_ups.request_id = page.request_id AND top_ups.reseller = page.reseller
			AND page.kind IN ('top_up', 'adjustment', 'refund_debt')
		LEFT JOIN movement_notes ON movement_notes.request_id = page.request_id
			AND movement_notes.reseller = page.reseller AND page.kind IN ('give', 'take', 'debt_forgiven')`;
}

/** A request has one act and one payment. If the tables say otherwise, each movement is still shown once. */
export function onceEach(rows: readonly StoredMovement[]): readonly StoredMovement[] {
	return [...new Map(rows.toReversed().map((row) => [`${row.reseller} ${row.number}`, row])).values()].reverse();
}
