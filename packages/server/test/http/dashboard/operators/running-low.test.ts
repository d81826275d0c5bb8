import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usageDayOf } from '../../../../src/domain/usage.ts';
import { runningLow } from '../../../../src/http/dashboard/operators/running-low.ts';
import type { Holdings } from '../../../../src/store/reads/platform-reads.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12);
const WEEK = { firstDay: usageDayOf(NOW_MS) - 6, nowMs: NOW_MS };
const DAY_MS = 86_400_000;
const METERED_LONG_AGO = NOW_MS - 90 * DAY_MS;

function holdings(changes: Partial<Holdings> & Pick<Holdings, 'reseller'>): Holdings {
	return {
		...{ heldCents: 1_000, ownCents: 1_000, ranOutSubUsers: 0, lowBalanceCents: null, costCents: 0 },
		...{ meteredSinceMs: null, suspendedAtMs: null, ...changes },
	};
}

test('a reseller runs low without a balance, below its own bound, or if all lasts for less than a week', () => {
	const { low } = runningLow(
		[
			holdings({ reseller: 'fine', lowBalanceCents: 1_000, meteredSinceMs: METERED_LONG_AGO, costCents: 900 }),
			holdings({ reseller: 'out', ownCents: 0, lowBalanceCents: 5 }),
			holdings({ reseller: 'below', ownCents: 999, lowBalanceCents: 1_000 }),
			holdings({ reseller: 'short', heldCents: 100, meteredSinceMs: METERED_LONG_AGO, costCents: 200 }),
			// The cost of a week, but of one day only.
			holdings({ reseller: 'new', heldCents: 100, meteredSinceMs: NOW_MS - DAY_MS, costCents: 50 }),
			holdings({ reseller: 'suspended', ownCents: 0, suspendedAtMs: 1 }),
		],
		WEEK,
	);
	assert.deepEqual(
		low.resellers.map(({ reseller, reason, days_left }) => [reseller, reason, days_left]),
		[
			['short', 'short', 3.25],
			['new', 'short', 2],
			['out', 'out', null],
			['below', 'below', null],
		],
	);
	assert.equal(low.count, 4);
});

test('only sub-users whose bandwidth is charged run out, and ten resellers are listed', () => {
	const many = Array.from({ length: 12 }, (_, index) =>
		holdings({ reseller: `r${index}`, ranOutSubUsers: index, meteredSinceMs: METERED_LONG_AGO }),
	);
	const { exhausted, low } = runningLow([...many, holdings({ reseller: 'free', ranOutSubUsers: 500 })], WEEK);
	assert.equal(exhausted.count, 66);
	assert.deepEqual(exhausted.resellers[0], { reseller: 'r11', sub_users: 11 });
	assert.equal(exhausted.resellers.length, 10);
	assert.deepEqual(low, { count: 0, resellers: [] });
});
