import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_CENTS } from '@bursar/contract';
import { printedSeed } from '@bursar/testing/random';
import fc from 'fast-check';
import { decideUsage, type LoadedUsage } from '../../../src/commands/usage/count.ts';
import { NO_COST } from '../../../src/domain/metering.ts';
import {
	startOfDayMs,
	type UsageReport,
	usageDayKey,
	usageDayOf,
	usageForgottenBeforeMs,
	usageReportKey,
	usageShownDays,
} from '../../../src/domain/usage.ts';
import { usageHourOf } from '../../../src/domain/usage-hours.ts';
import { NOON_MS } from '../../support/commands.ts';

const TODAY = usageDayOf(NOON_MS);
const DAY_MS = 86_400_000;
/** What a batch without readings decides about counters. */
const NO_READINGS = {
	changedCounters: [],
	changedPaces: [],
	readingDays: { count: 0, latest: 0 },
	reportedToMs: new Map(),
};
const NO_HOURS = { hours: [], resellerHours: [], edgeHours: [], edgeDays: [] };
const EMPTY = loaded();

function loaded(reports: readonly UsageReport[] = [], bytes: Readonly<Record<string, [number, number]>> = {}) {
	const bytesUp = Object.values(bytes).reduce((sum, [up]) => sum + up, 0);
	const bytesDown = Object.values(bytes).reduce((sum, [, down]) => sum + down, 0);
	return {
		resellers: new Map([
			['alice', 'acme'],
			['acme', 'acme'],
		]),
		reports: new Map(reports.map((known) => [usageReportKey(known), known])),
		counters: new Map(),
		readingDays: NO_READINGS.readingDays,
		paces: new Map(),
		days: new Map(
			Object.entries(bytes).map(([username, [bytesUp, bytesDown]]) => [
				usageDayKey(username, TODAY),
				{ reseller: 'acme', username, day: TODAY, bytesUp, bytesDown },
			]),
		),
		resellerDays: new Map([[usageDayKey('acme', TODAY), { reseller: 'acme', day: TODAY, bytesUp, bytesDown }]]),
		prices: new Map(),
		meters: new Map(),
		horizonMs: 0,
	} satisfies LoadedUsage;
}

function report(changes: Partial<UsageReport> = {}): UsageReport {
	return { source: 'eu-1', id: 'r1', username: 'alice', atMs: NOON_MS, bytesUp: 5, bytesDown: 7, ...changes };
}

test('the first report with a name is added to its day', () => {
	const sums = { day: TODAY, bytesUp: 5, bytesDown: 7, cost: NO_COST, lastAtMs: NOON_MS };
	const hour = { hour: usageHourOf(NOON_MS), bytesUp: 5, bytesDown: 7 };
	const decided = decideUsage(loaded([], { alice: [100, 1000] }), [report()], NOON_MS);
	assert.deepEqual(decided, {
		verdicts: ['counted'],
		countedReports: [report()],
		...NO_READINGS,
		addedDays: [{ reseller: 'acme', username: 'alice', ...sums }],
		addedResellerDays: [{ reseller: 'acme', ...sums }],
		addedHours: {
			...NO_HOURS,
			hours: [{ reseller: 'acme', username: 'alice', ...hour }],
			resellerHours: [{ reseller: 'acme', ...hour }],
		},
		addedMeters: [],
		countedVerdicts: [{ day: TODAY, verdict: 'counted', reports: 1 }],
		refusedReports: [],
	});
});

test('a repeat counts nothing, whether the first came earlier or in the same batch', () => {
	const before = decideUsage(loaded([report()]), [report()], NOON_MS);
	const nothing = { ...NO_READINGS, addedDays: [], addedResellerDays: [], addedHours: NO_HOURS, addedMeters: [] };
	const countedVerdicts = [{ day: TODAY, verdict: 'repeated', reports: 1 }];
	const repeated = { verdicts: ['repeated'], countedReports: [], countedVerdicts, refusedReports: [] };
	assert.deepEqual(before, { ...repeated, ...nothing });
	const beside = decideUsage(EMPTY, [report(), report()], NOON_MS);
	assert.deepEqual(beside.verdicts, ['counted', 'repeated']);
	const added = beside.addedDays.map(({ bytesUp, bytesDown }) => [bytesUp, bytesDown]);
	assert.deepEqual(added, [[5, 7]]);
});

test('verdicts are counted by the day of arrival, in one order; a report that cannot be read is only counted', () => {
	const yesterday = report({ id: 'r2', atMs: NOON_MS - DAY_MS });
	const unknown = report({ id: 'r3', username: 'nobody' });
	const unreadable = { refused: 'not_json' } as const;
	const arrived = [unknown, unreadable, yesterday, report(), unreadable, report()];
	const { verdicts, countedVerdicts, countedReports } = decideUsage(EMPTY, arrived, NOON_MS);
	assert.deepEqual(verdicts, [
		{ refused: 'unknown_username' },
		unreadable,
		'counted',
		'counted',
		unreadable,
		'repeated',
	]);
	assert.equal(countedReports.length, 2);
	assert.deepEqual(countedVerdicts, [
		{ day: TODAY, verdict: 'counted', reports: 2 },
		{ day: TODAY, verdict: 'not_json', reports: 2 },
		{ day: TODAY, verdict: 'repeated', reports: 1 },
		{ day: TODAY, verdict: 'unknown_username', reports: 1 },
	]);
});

test('the same name with other content is a conflict, and changes nothing', () => {
	for (const changes of [{ username: 'acme' }, { atMs: NOON_MS - 1 }, { bytesUp: 6 }, { bytesDown: 8 }]) {
		const { verdicts, countedReports, addedDays } = decideUsage(loaded([report()]), [report(changes)], NOON_MS);
		assert.deepEqual([verdicts, countedReports, addedDays], [[{ refused: 'conflict' }], [], []]);
	}
});

test('the same id from two sources is two reports', () => {
	const reports = [report(), report({ source: 'eu-2' }), report({ id: 'r2' })];
	assert.deepEqual(decideUsage(EMPTY, reports, NOON_MS).verdicts, ['counted', 'counted', 'counted']);
});

test('a report is refused if it is more than five minutes ahead, or older than the kept days', () => {
	const oldestMs = startOfDayMs(TODAY - 120);
	const verdicts = (atMs: number) => decideUsage(EMPTY, [report({ atMs })], NOON_MS).verdicts[0];
	assert.equal(verdicts(NOON_MS + 5 * 60_000), 'counted');
	assert.deepEqual(verdicts(NOON_MS + 5 * 60_000 + 1), { refused: 'timestamp_ahead' });
	assert.equal(verdicts(oldestMs), 'counted');
	assert.deepEqual(verdicts(oldestMs - 1), { refused: 'timestamp_too_old' });
});

test('a report from before the horizon is refused, whatever the clock says', () => {
	const withHorizon = { ...EMPTY, horizonMs: NOON_MS - 10 };
	const reports = [report({ id: 'before', atMs: NOON_MS - 11 }), report({ id: 'after', atMs: NOON_MS - 10 })];
	assert.deepEqual(decideUsage(withHorizon, reports, NOON_MS).verdicts, [{ refused: 'timestamp_too_old' }, 'counted']);
	assert.deepEqual(decideUsage({ ...EMPTY, horizonMs: 0 }, reports, NOON_MS).verdicts, ['counted', 'counted']);
});

test('a report that would raise a day of an account or of its reseller over 2^53-1 bytes is refused; a smaller one fits', () => {
	for (const full of ['alice', 'acme']) {
		const books = loaded([], { [full]: [MAX_CENTS - 4, 0] });
		const decided = decideUsage(books, [report(), report({ bytesUp: 4 })], NOON_MS);
		assert.deepEqual(decided.verdicts, [{ refused: 'counter_overflow' }, 'counted']);
		assert.deepEqual([decided.addedDays[0]?.bytesUp, decided.addedResellerDays[0]?.bytesUp], [4, 4]);
		const down = decideUsage(loaded([], { [full]: [0, MAX_CENTS] }), [report()], NOON_MS);
		assert.deepEqual([down.verdicts, down.addedDays], [[{ refused: 'counter_overflow' }], []]);
	}
});

test('refused reports do not affect the others', () => {
	const reports = [
		report({ id: 'a', username: 'nobody' }),
		report({ id: 'b' }),
		report({ id: 'c', atMs: NOON_MS + DAY_MS }),
		report({ id: 'd' }),
		report({ id: 'b', bytesUp: 9 }),
	];
	const { verdicts, addedDays } = decideUsage(EMPTY, reports, NOON_MS);
	assert.deepEqual(verdicts, [
		{ refused: 'unknown_username' },
		'counted',
		{ refused: 'timestamp_ahead' },
		'counted',
		{ refused: 'conflict' },
	]);
	assert.deepEqual(
		addedDays.map(({ bytesUp, bytesDown }) => [bytesUp, bytesDown]),
		[[10, 14]],
	);
});

test('a UTC day begins at midnight, also before 1970 and across a leap day', () => {
	for (const [text, day] of [
		['2028-02-28T23:59:59.999Z', '2028-02-28'],
		['2028-02-29T00:00:00.000Z', '2028-02-29'],
		['2028-02-29T23:59:59.999Z', '2028-02-29'],
		['2026-12-31T23:59:59.999Z', '2026-12-31'],
		['2027-01-01T00:00:00.000Z', '2027-01-01'],
		['1969-12-31T23:59:59.999Z', '1969-12-31'],
	] as const) {
		assert.equal(new Date(startOfDayMs(usageDayOf(Date.parse(text)))).toISOString(), `${day}T00:00:00.000Z`);
	}
});

test('90 days are shown, today and the 89 before it, until the last millisecond of the day', () => {
	for (const nowMs of [startOfDayMs(TODAY), NOON_MS, startOfDayMs(TODAY + 1) - 1]) {
		assert.deepEqual(usageShownDays(nowMs), { firstDay: TODAY - 89, lastDay: TODAY });
	}
});

test('a report is known as long as a repeat would be accepted', (t) => {
	const property = fc.property(fc.integer({ min: -130 * DAY_MS, max: 5 * 60_000 }), fc.nat(200), (offset, days) => {
		const receivedMs = NOON_MS;
		const again = report({ atMs: NOON_MS + offset });
		const nowMs = NOON_MS + (days * DAY_MS) / 3;
		if (decideUsage(EMPTY, [again], receivedMs).verdicts[0] !== 'counted') return;
		const isForgotten = receivedMs < usageForgottenBeforeMs(nowMs);
		if (isForgotten) {
			assert.deepEqual(decideUsage(EMPTY, [again], nowMs).verdicts, [{ refused: 'timestamp_too_old' }]);
		}
	});
	fc.assert(property, { seed: printedSeed(t), numRuns: 1000 });
});

test('each report counts once, in any order and with any repeats', (t) => {
	const reports = fc.uniqueArray(
		fc.record({
			source: fc.constantFrom('a', 'b'),
			id: fc.nat(9).map(String),
			username: fc.constantFrom('alice', 'acme'),
			atMs: fc.nat(2 * DAY_MS).map((ms) => NOON_MS - ms),
			bytesUp: fc.nat(1000),
			bytesDown: fc.nat(1000),
		}),
		{ selector: usageReportKey, maxLength: 15 },
	);
	const deliveries = reports.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray([...all, ...all])));
	const property = fc.property(deliveries, ([, delivered]) => {
		const { verdicts, addedDays, addedResellerDays } = decideUsage(EMPTY, delivered, NOON_MS);
		const once = [...new Map(delivered.map((known) => [usageReportKey(known), known])).values()];
		assert.equal(verdicts.filter((verdict) => verdict === 'counted').length, once.length);
		const sum = (list: readonly { bytesUp: number }[]) => list.reduce((bytes, { bytesUp }) => bytes + bytesUp, 0);
		assert.equal(sum(addedDays), sum(once));
		assert.equal(sum(addedResellerDays), sum(once));
		for (const { username, day, bytesDown } of addedDays) {
			const own = once.filter((known) => known.username === username && usageDayOf(known.atMs) === day);
			assert.equal(
				bytesDown,
				own.reduce((bytes, known) => bytes + known.bytesDown, 0),
			);
		}
	});
	fc.assert(property, { seed: printedSeed(t), numRuns: 500 });
});
