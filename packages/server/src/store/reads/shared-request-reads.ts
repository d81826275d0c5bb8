import { EMAIL, joinPeople, RESELLER } from '../people/known-people.ts';
import type { SharedStatement } from '../people/person-rows.ts';
import type { StoredAct } from './business-reads.ts';
import type { StoredMovement } from './movement-reads.ts';
import type { RequestReads } from './request-reads.ts';

/** A request has fewer. If the tables say otherwise, the rest is not read. */
const MOST_OF_A_REQUEST = 100;

/** The operator's look at one request, for any engine. */
export function findRequest(
	read: (statement: SharedStatement) => Promise<readonly object[]>,
): RequestReads['findRequest'] {
	const of = (table: string, number: string, select: (rows: string) => string) =>
		`${select(`SELECT * FROM ${table} WHERE request_id = $1 ORDER BY ${number} LIMIT ${MOST_OF_A_REQUEST}`)} ORDER BY number`;
	const [movements, acts] = [of('transfers', 'id', selectMovements), of('acts', 'number', selectActs)];
	return async (id) => ({
		movements: onePerNumber((await read({ sql: movements, values: [id] })) as StoredMovement[]),
		acts: (await read({ sql: acts, values: [id] })) as StoredAct[],
	});
}

/** Asks for `StoredAct` from a query of rows of `acts`. */
export function selectActs(rows: string): string {
	return `SELECT page.number, page.kind, page.target, page.at_ms AS "atMs", page.request_id AS "requestId", page.address,
		${EMAIL} AS email, COALESCE(page.reseller, ${RESELLER}) AS reseller,
		${RESELLER} AS "emailReseller", page.token_tail AS "tokenTail",
		page.os_user AS "systemUser"
		FROM (${rows}) AS page ${joinPeople('page.person')}`;
}

/**
 * Asks for `StoredMovement` from a query of rows of `transfers`. Who moved the money is known by the request, unless it
 * was a program. Acts of people of other resellers do not count. A payment may also post bandwidth, which has no reference.
 */
export function selectMovements(rows: string): string {
	return `SELECT page.id AS number, page.at_ms AS "atMs", page.reseller, page.kind, page.debit, page.credit,
		page.amount_cents AS "amountCents", page.debit_balance_cents AS "debitBalanceCents",
		page.credit_balance_cents AS "creditBalanceCents", page.request_id AS "requestId", page.token_tail AS "tokenTail",
		page.address, page.wanted_username AS "aboutUsername", acts.os_user AS "systemUser", ${EMAIL} AS email,
		${RESELLER} AS "emailReseller", top_ups.reference, top_ups.reason, movement_notes.note
		FROM (${rows}) AS page
		LEFT JOIN acts ON acts.request_id = page.request_id
		${joinPeople('acts.person', 'page.reseller')}
		LEFT JOIN top_ups ON top_ups.request_id = page.request_id AND top_ups.reseller = page.reseller
			AND page.kind IN ('top_up', 'adjustment')
		LEFT JOIN movement_notes ON movement_notes.request_id = page.request_id
			AND movement_notes.reseller = page.reseller AND page.kind IN ('give', 'take', 'debt_forgiven')`;
}

/** A request has one act and one payment. If the tables say otherwise, each movement is still shown once. */
export function onePerNumber(rows: readonly StoredMovement[]): readonly StoredMovement[] {
	return [...new Map(rows.toReversed().map((row) => [row.number, row])).values()].reverse();
}
