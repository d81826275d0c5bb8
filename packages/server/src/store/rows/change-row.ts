import {
	type ChangeName,
	changesForgottenBeforeMs,
	FORGOTTEN_FOR_EACH,
	type RecordedChange,
} from '../../domain/recorded-change.ts';
import type { SharedStatement } from '../people/person-rows.ts';
import { type Columns, type FoundRows, givenRows, type InsertedRows } from './given-rows.ts';

const KEY: Columns<ChangeName> = {
	reseller: ['text', ({ reseller }) => reseller],
	change_id: ['text', ({ id }) => id],
};

const COLUMNS: Columns<RecordedChange> = {
	...KEY,
	kind: ['text', ({ kind }) => kind],
	username: ['text', ({ username }) => username],
	amount_cents: ['bigint', ({ amountCents }) => amountCents],
	balance_cents: ['bigint', ({ balanceCents }) => balanceCents],
	error: ['text', ({ error }) => error],
	at_ms: ['bigint', ({ atMs }) => atMs],
	request_id: ['text', ({ requestId }) => requestId],
};

/** A whole change. */
export const WHOLE_CHANGE = `reseller, change_id AS "id", kind, username, amount_cents AS "amountCents", balance_cents AS "balanceCents",
	error, at_ms AS "atMs", request_id AS "requestId"`;

/** Finds the names of changes that are recorded. */
export function findingChangeNames(names: readonly ChangeName[]): FoundRows {
	return { table: 'changes', columns: 'reseller, change_id AS "id"', keys: givenRows(names, KEY) };
}

/** Finds whole changes. */
export function findingChanges(names: readonly ChangeName[]): FoundRows {
	return { table: 'changes', columns: WHOLE_CHANGE, keys: givenRows(names, KEY) };
}

export function addingChanges(changes: readonly RecordedChange[]): InsertedRows {
	return { into: 'changes', rows: givenRows(changes, COLUMNS) };
}

/**
 * Forgets old changes: at most two for each that is recorded, so that a batch stays short and the table never piles up.
 * `leavingLocked` leaves out rows that another transaction deletes, if the engine has such.
 */
export function forgettingChanges(
	recorded: readonly [RecordedChange, ...RecordedChange[]],
	leavingLocked = '',
): SharedStatement {
	return {
		sql: `DELETE FROM changes WHERE (reseller, change_id) IN (
			SELECT reseller, change_id FROM changes WHERE at_ms < $1 ORDER BY at_ms LIMIT $2 ${leavingLocked})`,
		values: [changesForgottenBeforeMs(recorded[0].atMs), FORGOTTEN_FOR_EACH * recorded.length],
	};
}
