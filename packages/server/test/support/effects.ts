import assert from 'node:assert/strict';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { verifyLedger } from '../../src/store/sqlite/ledger-verification.ts';
import type { Operation } from './load.ts';

interface TransferRow {
	readonly id: number;
	readonly kind: string;
	readonly debit: string;
	readonly credit: string;
	readonly amountCents: number;
	readonly requestId: string;
}

/** Compares what the store holds with what clients were told. */
export interface EffectsCheck {
	/**
	 * Throws unless, of the operations sent since the last check, every acknowledged one is in the store
	 * exactly once, every one that was refused not at all, every one whose outcome nobody learned at
	 * most once, and nothing else; unless all that was there before is there unchanged; and unless the
	 * ledger is in order.
	 */
	check(operations: readonly Operation[]): EffectCounts;
}

interface EffectCounts {
	readonly acknowledged: number;
	readonly refused: number;
	/** Without an answer, or answered with `outcome_unknown`. */
	readonly unknown: number;
	/** Those of them that took effect. */
	readonly unknownDone: number;
}

/** How often an operation may stand in the store. */
export function timesAllowed({ reply, kind }: Operation): readonly number[] {
	if (reply.kind === 'refused') return [0];
	if (reply.kind !== 'answered' || reply.errorCode === 'outcome_unknown') return [0, 1];
	if (reply.status === 200 || (kind === 'create_taken' && reply.errorCode === 'username_taken')) return [1];
	assert.ok(reply.status >= 500, `${kind} was refused: ${JSON.stringify(reply)}`);
	return [0];
}

/** Looks into the store of a data directory, beside whoever has it open. Begins with what is there now. */
export function effectsCheck(dataDir: string): EffectsCheck {
	let before = inStore(dataDir, (store) => totals(store, Number.MAX_SAFE_INTEGER));
	return {
		check(operations) {
			return inStore(dataDir, (store) => {
				assert.deepEqual(totals(store, before.lastId), before, 'the transfers of before are there, unchanged');
				const counts = checkSince(store, before.lastId, operations);
				assert.deepEqual(verifyLedger(store).problems, []);
				before = totals(store, Number.MAX_SAFE_INTEGER);
				return counts;
			});
		},
	};
}

function checkSince(store: Database.Database, lastId: number, operations: readonly Operation[]): EffectCounts {
	const rows = store
		.prepare<[number], TransferRow>(
			'SELECT id, kind, debit, credit, amount_cents AS amountCents, request_id AS requestId FROM transfers WHERE id > ?',
		)
		.all(lastId);
	const moves = new Map<string, TransferRow[]>();
	const fees = new Map<string, TransferRow[]>();
	for (const row of rows) {
		if (row.kind === 'create_fee') fees.set(row.requestId, [...(fees.get(row.requestId) ?? []), row]);
		if (row.kind !== 'give' && row.kind !== 'take') continue;
		const key = `${row.kind} ${row.amountCents} ${row.kind === 'give' ? row.credit : row.debit}`;
		moves.set(key, [...(moves.get(key) ?? []), row]);
	}
	const account = store.prepare<[string]>('SELECT COUNT(*) FROM accounts WHERE username = ?').pluck();
	const counts = { acknowledged: 0, refused: 0, unknown: 0, unknownDone: 0 };
	let unknownCreates = 0;
	let unknownFees = 0;

	for (const operation of operations) {
		const { kind, number, username, reply } = operation;
		const allowed = timesAllowed(operation);
		const isUnknown = allowed.length > 1;
		const requestId = reply.kind === 'answered' && !isUnknown ? reply.requestId : undefined;
		let times = 0;
		if (kind === 'give' || kind === 'take') {
			const key = `${kind} ${number} ${username}`;
			const own = moves.get(key) ?? [];
			moves.delete(key);
			times = own.length;
			if (requestId) for (const row of own) assert.equal(row.requestId, requestId);
		} else if (kind === 'create' || kind === 'create_taken') {
			const fee = requestId === undefined ? [] : (fees.get(requestId) ?? []);
			if (requestId !== undefined) fees.delete(requestId);
			times = kind === 'create' ? (account.get(username) as number) : fee.length;
			if (!isUnknown) assert.equal(fee.length, allowed[0], `the fee of ${JSON.stringify(operation)}`);
			else if (kind === 'create') unknownCreates += times;
			else unknownFees++;
		} else if (!isUnknown) times = allowed[0] as number;
		assert.ok(allowed.includes(times), `${times} times in the store: ${JSON.stringify(operation)}`);

		if (isUnknown) {
			counts.unknown++;
			counts.unknownDone += times;
		} else if (allowed[0] === 1) counts.acknowledged++;
		else counts.refused++;
	}
	assert.deepEqual([...moves.keys()], [], 'no transfer that nobody asked for');
	const strayFees = [...fees.values()].flat().length;
	assert.ok(
		strayFees >= unknownCreates && strayFees <= unknownCreates + unknownFees,
		`${strayFees} fees for ${unknownCreates} to ${unknownCreates + unknownFees} creates without an answer`,
	);
	return counts;
}

function totals(store: Database.Database, lastId: number) {
	return store
		.prepare(
			`SELECT COUNT(*) AS transfers, COALESCE(SUM(amount_cents), 0) AS cents, COALESCE(MAX(id), 0) AS lastId
			 FROM transfers WHERE id <= ?`,
		)
		.get(lastId) as { readonly transfers: number; readonly cents: number; readonly lastId: number };
}

/** Opens the store for one look. It may read only. */
export function inStore<Result>(dataDir: string, look: (store: Database.Database) => Result): Result {
	const store = new Database(join(dataDir, 'bursar.db'), { readonly: true });
	try {
		return look(store);
	} finally {
		store.close();
	}
}
