import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAIR_STATES } from '@bursar/contract/sub-user-terms';
import { pairStateOf, refusalOf } from '../../src/domain/pair-state.ts';

const NOW_MS = 1_000;
const ALL = {
	isSuspended: true,
	isResellerSuspended: true,
	expiresAtMs: NOW_MS,
	isBeyondDebtLine: true,
	leftBytes: 0,
	limitLeftBytes: 0,
	hasPaid: false,
};

test('of several reasons why a pair is refused, the first one of the list counts', () => {
	const steps = [{}, { isSuspended: false }, { isResellerSuspended: false }, { expiresAtMs: NOW_MS + 1 }];
	const lifted = [...steps, { isBeyondDebtLine: false }, { hasPaid: true }, { leftBytes: 1 }, { limitLeftBytes: 1 }];
	let bounds = ALL;
	const states = lifted.map((change) => {
		bounds = { ...bounds, ...change };
		return [pairStateOf(bounds, NOW_MS), refusalOf(bounds, NOW_MS)];
	});
	const [active, ...refused] = PAIR_STATES;
	assert.deepEqual(
		states.map(([state]) => state),
		[...refused, active],
	);
	// For the proxies it is the same whether an empty balance has ever paid.
	assert.deepEqual(
		states.map(([, refusal]) => refusal),
		[...refused.map((state) => (state === 'no_balance' ? 'exhausted' : state)), null],
	);
});

test('without a price, a limit or an end, nothing bounds a pair', () => {
	const free = {
		isSuspended: false,
		isBeyondDebtLine: false,
		isResellerSuspended: false,
		expiresAtMs: null,
		leftBytes: null,
		limitLeftBytes: null,
	};
	assert.equal(refusalOf(free, Number.MAX_SAFE_INTEGER), null);
});
