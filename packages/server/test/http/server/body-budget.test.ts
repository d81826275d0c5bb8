import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBodyBudget } from '../../../src/http/server/body-budget.ts';

test('room is taken up to the bound of an owner and up to the bound of all, and comes back', () => {
	const budget = createBodyBudget({ most: 10, mostOfOwner: 6 });
	assert.equal(budget.take('gw', 6), true);
	assert.equal(budget.take('gw', 1), false);
	assert.equal(budget.take('gw2', 5), false, 'all together');
	assert.equal(budget.take('gw2', 4), true);
	assert.equal(budget.take('gw3', 1), false);
	budget.release('gw', 6);
	assert.equal(budget.take('gw3', 6), true);
	assert.equal(budget.take('gw', 1), false);
	budget.release('gw3', 2);
	assert.equal(budget.take('gw', 2), true);
});
