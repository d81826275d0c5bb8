import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readStatementPage } from '../src/read-terms.ts';

const MOVEMENT = {
	...{ id: 7, username: 'alice', amount: 5, balance: null, sub_user_balance: null },
	...{ timestamp: '2026-11-28T10:00:00.000Z', request_id: 'r1', change_id: null, reference: null },
};

test('a page of the statement may have debts, and kinds that only a newer service knows', () => {
	const kinds = ['debt', 'debt_payment', 'debt_forgiven', 'of_a_newer_service'];
	const movements = kinds.map((kind) => ({ ...MOVEMENT, kind }));
	const page = readStatementPage({ movements, next: null });
	assert.deepEqual(
		page?.items.map(({ kind }) => kind),
		kinds,
	);
	for (const wrong of [{ kind: 7 }, { id: '7' }, { id: null }, { change_id: 7 }, { reference: 7 }]) {
		const movement = { ...MOVEMENT, kind: 'give', ...wrong };
		assert.equal(readStatementPage({ movements: [movement], next: null }), undefined, JSON.stringify(wrong));
	}
	assert.equal(readStatementPage({ movements: [], next: null, more: 'no' }), undefined);
});
