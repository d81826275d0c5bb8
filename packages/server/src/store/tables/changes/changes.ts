import {
	type ChangeName,
	changesForgottenBeforeMs,
	FORGOTTEN_FOR_EACH,
	type RecordedChange,
} from '../../../domain/recorded-change.ts';
import type { SharedStatement } from '../../statement.ts';
import { type Columns, type FoundRows, givenRows, type InsertedRows } from '../../statement.ts';

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

/** Finds a whole change. */
export const FIND_CHANGE = {
	sql: `SELECT reseller, change_id AS "id", kind, username, amount_cents AS "amountCents",
			balance_cents AS "balanceCents", error, at_ms AS "atMs", request_id AS "requestId"
		FROM changes WHERE reseller = $1 AND change_id = $2 LIMIT 1`,
	columns: KEY,
};

/** Finds the names of changes that are recorded. */
export function findingChangeNames(names: readonly ChangeName[]): FoundRows {
	return { table: 'changes', columns: 'reseller, change_id AS "id"', keys: givenRows(names, KEY) };
}

export function addingChanges(changes: readonly RecordedChange[]): InsertedRows {
	return { into: 'changes', rows: givenRows(changes, COLUMNS) };
}

/** Forgets old changes: two at most for each that is recorded, so that a batch stays short and they never pile up. */
export function forgettingChanges([first, ...others]: readonly [RecordedChange, ...RecordedChange[]]): SharedStatement {
	return {
		sql: `DELETE FROM changes WHERE (reseller, change_id) IN (
			SELECT reseller, change_id FROM changes WHERE at_ms < $1 ORDER BY at_ms LIMIT $2)`,
		values: [changesForgottenBeforeMs(first.atMs), FORGOTTEN_FOR_EACH * (1 + others.length)],
	};
}
