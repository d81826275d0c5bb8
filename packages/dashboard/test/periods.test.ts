import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Movement, StatementLines } from '@bursar/contract/dashboard';
import { readLines } from '../src/features/printed-statement/use-lines.ts';
import {
	boundsOf,
	boundsOfMonths,
	monthsUpTo,
	ownTotals,
	periodOf,
	rangeOf,
	sumOf,
} from '../src/features/statement/periods.ts';
import { daysOfMonth, isMonth, monthAfter, monthOf } from '../src/format/months.ts';

process.env.TZ = 'Europe/Berlin';

test('a month is that of the viewer, and has all its days', () => {
	assert.equal(monthOf(Date.parse('2026-10-31T22:59:59.999Z')), '2026-10');
	assert.equal(monthOf(Date.parse('2026-10-31T23:00:00.000Z')), '2026-11');
	assert.deepEqual(daysOfMonth('2028-02'), { from: '2028-02-01', to: '2028-02-29' });
	assert.deepEqual(daysOfMonth('2026-12'), { from: '2026-12-01', to: '2026-12-31' });
	assert.deepEqual(
		[1, -1, -11, 13, -24].map((count) => monthAfter('2026-11', count)),
		['2026-12', '2026-10', '2025-12', '2027-12', '2024-11'],
	);
	for (const text of ['2026-00', '2026-13', '2026-1', '26-01', '2026-01-01', ''])
		assert.equal(isMonth(text), false, text);
	assert.equal(isMonth('2026-01'), true);
});

test('months follow each other without a gap, over a change of the clocks too', () => {
	const months = monthsUpTo('2026-04');
	assert.deepEqual([months.length, months[0], months.at(-1)], [12, '2025-05', '2026-04']);
	const bounds = boundsOfMonths(months);
	assert.equal(bounds.length, 13);
	assert.deepEqual(bounds.slice(-3), [
		'2026-02-28T23:00:00.000Z',
		'2026-03-31T22:00:00.000Z',
		'2026-04-30T22:00:00.000Z',
	]);
	for (const [index, month] of months.entries()) {
		assert.deepEqual(boundsOf(daysOfMonth(month)), bounds.slice(index, index + 2));
	}
});

test('a range that is open has bounds before and after everything, also if its other day is the last one that there is', () => {
	for (const range of [{}, { from: '9999-12-31' }, { to: '1970-01-01' }, { from: '1970-01-01', to: '9999-12-31' }]) {
		const [from = '', to = ''] = boundsOf(range);
		assert.ok(Date.parse(from) < Date.parse(to), JSON.stringify(range));
		assert.deepEqual(
			[from, to].map((time) => new Date(time).toISOString()),
			[from, to],
		);
	}
});

test('this month, the last one and all have a name; other ranges have none', () => {
	const nowMs = Date.parse('2026-12-31T23:30:00.000Z');
	assert.deepEqual(rangeOf('this_month', nowMs), { from: '2027-01-01', to: '2027-01-31' });
	assert.deepEqual(rangeOf('last_month', nowMs), { from: '2026-12-01', to: '2026-12-31' });
	assert.equal(periodOf({ from: '2026-12-01', to: '2026-12-31' }, nowMs), 'last_month');
	assert.equal(periodOf({}, nowMs), 'all');
	assert.equal(periodOf({ from: '2026-12-01' }, nowMs), undefined);
});

test('what sub-users paid themselves is no total of the reseller, and kinds have one order', () => {
	const totals = [
		{ kind: 'usage', of: 'sub_users', count: 9, amount: -90 },
		{ kind: 'usage', of: 'balance', count: 1, amount: -1 },
		{ kind: 'top_up', of: 'balance', count: 2, amount: 50 },
	] as const;
	assert.deepEqual(ownTotals(totals), [totals[2], totals[1]]);
	assert.deepEqual(sumOf(ownTotals(totals)), { count: 3, amount: 49 });
});

test('lines are read until there are no more, or enough to print, and never without an end', async () => {
	const line = (number: number) => ({ number }) as Movement;
	const asked: number[] = [];
	const service =
		(perCall: number, calls: number) =>
		async ({ from }: { readonly from: number }): Promise<StatementLines> => {
			asked.push(from);
			const movements = Array.from({ length: perCall }, (_, index) => line(from + index));
			return { movements, next_from: asked.length < calls ? from + perCall : null };
		};
	assert.equal((await readLines({ from: 5, before: 99 }, service(3, 3))).length, 9);
	assert.deepEqual(asked.splice(0), [5, 8, 11]);
	assert.equal((await readLines({ from: 0, before: 1e6 }, service(501, 1e6))).length, 2_000);
	assert.equal(asked.splice(0).length, 4);
	assert.deepEqual(await readLines({ from: 0, before: 1e6 }, service(0, 1e6)), []);
	assert.equal(asked.length, 200);
});
