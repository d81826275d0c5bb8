import assert from 'node:assert/strict';
import type { StoredBooks, TransferRow } from '@bursar/testing/stored-books';
import { changeIdOf, type Looks, type Operation } from './load.ts';

/** Compares the store with the answers that clients got. */
export interface EffectsCheck {
	/**
	 * Checks the operations sent since the last check. The store must contain each acknowledged one once, no
	 * refused one, each one with an unknown outcome at most once, and nothing else. Throws otherwise, and also if
	 * earlier transfers have changed or the ledger has problems. With what the service says about each operation, that
	 * must be exactly what the store contains.
	 */
	check(operations: readonly Operation[], looks?: Looks): Promise<EffectCounts>;
}

export interface EffectCounts {
	readonly acknowledged: number;
	readonly refused: number;
	/** Without an answer, or answered with `outcome_unknown`. */
	readonly unknown: number;
	/** The unknown ones that took effect. */
	readonly unknownDone: number;
}

export function sumOf(all: readonly EffectCounts[]): EffectCounts {
	const sum = (name: keyof EffectCounts) => all.reduce((total, counts) => total + counts[name], 0);
	return {
		acknowledged: sum('acknowledged'),
		refused: sum('refused'),
		unknown: sum('unknown'),
		unknownDone: sum('unknownDone'),
	};
}

/** How often the store may contain an operation. */
export function timesAllowed({ reply, kind }: Operation): readonly number[] {
	if (reply.kind === 'refused') return [0];
	if (reply.kind !== 'answered' || reply.errorCode === 'outcome_unknown') return [0, 1];
	if (reply.status === 200 || (kind === 'create_taken' && reply.errorCode === 'username_taken')) return [1];
	assert.ok(reply.status >= 500, `${kind} was refused: ${JSON.stringify(reply)}`);
	return [0];
}

/** Takes the store's present content as the start. */
export async function effectsCheck(books: StoredBooks): Promise<EffectsCheck> {
	let before = await books.totals();
	return {
		async check(operations, looks) {
			assert.deepEqual(await books.totals(before.newest), before, 'earlier transfers are unchanged');
			const created = operations.filter(({ kind }) => kind === 'create').map(({ username }) => username);
			const rows = await books.transfersBehind(before.newest);
			const counts = compare(rows, await books.accountsAmong(created), operations);
			if (looks) compareLooks(rows, operations, looks);
			assert.deepEqual(await books.ledgerProblems(), []);
			before = await books.totals();
			return counts;
		},
	};
}

/** An operation without an answer must be told as what it did, and each transfer must be told by one operation. */
function compareLooks(rows: readonly TransferRow[], operations: readonly Operation[], looks: Looks): void {
	const untold = new Map(rows.map((row) => [row.requestId, row]));
	for (const operation of operations) {
		const { number, kind, username, reply } = operation;
		const told = looks.get(number);
		const allowed = timesAllowed(operation);
		assert.ok(told !== undefined && allowed.includes(told ? 1 : 0), `${JSON.stringify([operation, told])}`);
		if (!told) continue;
		const isFailed = kind === 'create_taken';
		assert.deepEqual([told.change_id, told.username], [changeIdOf(number), username]);
		assert.equal(told.error, isFailed ? 'username_taken' : null);
		if (reply.kind === 'answered' && allowed.length === 1) {
			assert.equal(told.request_id, reply.requestId);
			if (kind === 'give' || kind === 'take') assert.equal(told.balance, reply.data.balance);
		}
		if (kind === 'reset') continue;
		const row = untold.get(told.request_id);
		assert.equal(row?.amountCents, told.amount, JSON.stringify([operation, told]));
		assert.equal(row?.kind, kind === 'give' || kind === 'take' ? kind : 'create_fee');
		untold.delete(told.request_id);
	}
	assert.deepEqual([...untold.values()], [], 'each transfer is told by one operation');
}

function compare(
	rows: readonly TransferRow[],
	accounts: ReadonlySet<string>,
	operations: readonly Operation[],
): EffectCounts {
	const moves = new Map<string, TransferRow[]>();
	const fees = new Map<string, TransferRow[]>();
	for (const row of rows) {
		if (row.kind === 'create_fee') fees.set(row.requestId, [...(fees.get(row.requestId) ?? []), row]);
		if (row.kind !== 'give' && row.kind !== 'take') continue;
		const key = `${row.kind} ${row.amountCents} ${row.kind === 'give' ? row.credit : row.debit}`;
		moves.set(key, [...(moves.get(key) ?? []), row]);
	}
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
			times = kind === 'create' ? Number(accounts.has(username)) : fee.length;
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
	assert.deepEqual([...moves.keys()], [], 'each transfer belongs to an operation');
	const strayFees = [...fees.values()].flat().length;
	assert.ok(
		strayFees >= unknownCreates && strayFees <= unknownCreates + unknownFees,
		`${strayFees} fees for ${unknownCreates} to ${unknownCreates + unknownFees} creates without an answer`,
	);
	return counts;
}
