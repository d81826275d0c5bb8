import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAIR_STATES, UNUSABLE_REASONS } from '@bursar/contract/sub-user-terms';
import {
	pairStateOf,
	refusalOf,
	refusalOfItself,
	toldOfWanted,
	unusableReasonOf,
} from '../../src/domain/pair-state.ts';

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

test('who is wanted is found by what was told of it alone, whatever holds for its reseller', () => {
	const both = [false, true];
	const wanted = [undefined, ...both].flatMap((usable) =>
		[undefined, ...UNUSABLE_REASONS].map((reason) => ({ usable, reason })),
	);
	for (const ofReseller of both.flatMap((isResellerSuspended) =>
		both.map((isBeyondDebtLine) => ({ isResellerSuspended, isBeyondDebtLine })),
	)) {
		for (let bits = 0; bits < 16; bits++) {
			const bounds = {
				...ofReseller,
				isSuspended: (bits & 1) > 0,
				expiresAtMs: (bits & 2) > 0 ? NOW_MS : null,
				leftBytes: (bits & 4) > 0 ? 0 : null,
				limitLeftBytes: (bits & 8) > 0 ? 0 : null,
			};
			const holds = unusableReasonOf(bounds, NOW_MS);
			for (const { usable, reason } of wanted) {
				const isWanted =
					(usable === undefined || usable === (holds === null)) && (reason === undefined || reason === holds);
				// As of an account of its own, which has more bounds.
				const told = toldOfWanted({ usable, reason }, { ...ALL, ...ofReseller });
				assert.equal(told.includes(refusalOfItself(bounds, NOW_MS)), isWanted);
			}
		}
	}
});
