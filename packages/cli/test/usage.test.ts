import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { openStore } from '../../server/src/engine.ts';
import { usageChart } from '../src/output/chart.ts';
import { byteWords } from '../src/output/units.ts';
import { openShop, shopWith } from './support/shop.ts';

const DAY_MS = 86_400_000;
const TODAY_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS;

function dayBefore(days: number): string {
	return new Date(TODAY_MS - days * DAY_MS).toISOString().slice(0, 10);
}

/** A shop whose sub-user alice has usage on three recent days. */
async function shopWithUsage(t: TestContext) {
	const shop = await openShop(t);
	await shop.bursarctl.print('sub-user', 'create', 'alice', '--yes');
	const store = await openStore(shop.service.config);
	const nowMs = store.nowMs();
	const reports = [
		{ days: 5, bytesUp: 1_000_000, bytesDown: 3_000_000 },
		{ days: 3, bytesUp: 0, bytesDown: 999_500 },
		{ days: 1, bytesUp: 5, bytesDown: 12_345 },
	].map(({ days, ...bytes }) => ({
		source: 'host-1',
		id: String(days),
		username: 'alice',
		atMs: TODAY_MS - days * DAY_MS,
		...bytes,
	}));
	await store.recordUsage(reports, nowMs);
	await store.close();
	return shop;
}

describe('bursarctl usage', () => {
	test('prints a table, JSON or CSV, by day, the earliest first', async (t) => {
		const { bursarctl } = await shopWithUsage(t);
		const [fifth, third, first] = [dayBefore(5), dayBefore(3), dayBefore(1)];
		assert.equal(
			await bursarctl.print('usage', 'alice'),
			[
				'DAY (UTC)        UP     DOWN    TOTAL',
				`${fifth}  1.00 MB  3.00 MB  4.00 MB`,
				`${third}      0 B  1.00 MB  1.00 MB`,
				`${first}      5 B  12.3 kB  12.3 kB`,
				'total       1.00 MB  4.01 MB  5.01 MB',
				'',
			].join('\n'),
		);
		assert.equal(
			await bursarctl.print('usage', 'alice', '--csv'),
			`day,bytes_up,bytes_down\n${fifth},1000000,3000000\n${third},0,999500\n${first},5,12345\n`,
		);
		const json = await bursarctl.json('usage', 'alice');
		assert.deepEqual(json[0], { bandwidth: { up: 1_000_000, down: 3_000_000 }, timestamp: `${fifth}T00:00:00.000Z` });
		assert.equal(json.length, 3);

		const chart = (await bursarctl.runWith({ COLUMNS: '50' }, 'usage', 'alice', '--chart')).stdout.split('\n');
		assert.match(chart[0] ?? '', /^█ down {2}░ up .*4\.00 MB$/);
		assert.deepEqual(
			chart.slice(2, -1).map((line) => line.slice(0, 10)),
			[5, 4, 3, 2, 1, 0].map(dayBefore),
		);
		assert.ok(chart.every((line) => line.length <= 50));
		for (const columns of ['1e9', 'Infinity', '-5', 'x']) {
			const { code, stdout } = await bursarctl.runWith({ COLUMNS: columns }, 'usage', 'alice', '--chart');
			assert.equal(code, 0);
			assert.ok(stdout.split('\n').every((line) => line.length <= 500));
		}
	});

	test('without usage: prints an empty array, a header, or a sentence for people', async (t) => {
		const { bursarctl } = await shopWith(t, 'alice');
		assert.deepEqual(await bursarctl.json('usage', 'alice'), []);
		assert.equal(await bursarctl.print('usage', 'alice', '--csv'), 'day,bytes_up,bytes_down\n');
		for (const form of [[], ['--chart']]) {
			const { code, stdout, stderr } = await bursarctl.run('usage', 'alice', ...form);
			assert.deepEqual([code, stdout, stderr], [0, '', 'No usage in the last 90 days.\n']);
		}
		assert.equal((await bursarctl.run('usage', 'alice', '--csv', '--chart')).code, 2);
		assert.equal((await bursarctl.run('usage', 'alice', '--json', '--chart')).code, 2);
	});
});

describe('the chart', () => {
	test('has 90 days at most, whatever the service says', () => {
		const day = (text: string) => ({ day: new Date(text), bytesUp: 1, bytesDown: 2 });
		for (const days of [[day('-271821-04-20T00:00:00Z')], [day('2026-11-20'), day('+275760-09-13T00:00:00Z')]]) {
			assert.equal(usageChart(days, 80, new Date('2026-11-21')).length, 2 + 90);
		}
		const oldest = usageChart([day('2026-08-24T00:00:00Z')], 80, new Date('2026-11-21T12:00:00Z'));
		assert.equal(oldest.length, 2 + 90);
		assert.match(oldest[2] ?? '', /^2026-08-24 .*█.* 3 B$/);
	});

	const on = (text: string) => new Date(`${text}T00:00:00Z`);

	test('the longest bar fits the width; days without usage have a row; the smallest usage shows', () => {
		const days = [
			{ day: on('2026-02-27'), bytesUp: 250, bytesDown: 750 },
			{ day: on('2026-03-01'), bytesUp: 1, bytesDown: 0 },
			{ day: on('2026-03-02'), bytesUp: 0, bytesDown: 500 },
		];
		const lines = usageChart(days, 61, new Date('2026-03-03T17:00:00Z')).slice(2);
		assert.deepEqual(lines, [
			`2026-02-27  ${'█'.repeat(30)}${'░'.repeat(10)}  1.00 kB`,
			`2026-02-28  ${' '.repeat(40)}      0 B`,
			`2026-03-01  ░${' '.repeat(39)}      1 B`,
			`2026-03-02  ${'█'.repeat(20)}${' '.repeat(20)}    500 B`,
			`2026-03-03  ${' '.repeat(40)}      0 B`,
		]);
	});

	test('a narrow terminal, days with zero bytes, and a slow clock do no harm', () => {
		const none = { day: on('2026-03-01'), bytesUp: 0, bytesDown: 0 };
		assert.equal(usageChart([none], 1, on('2026-02-01')).length, 3);
		assert.deepEqual(usageChart([], 80, on('2026-02-01')), []);
	});

	test('bytes have three digits, and a value that would round to 1000 is 1 of the next unit', () => {
		const cases: [number, string][] = [
			[0, '0 B'],
			[999, '999 B'],
			[1000, '1.00 kB'],
			[9994, '9.99 kB'],
			[9995, '10.0 kB'],
			[99_949, '99.9 kB'],
			[99_950, '100 kB'],
			[999_499, '999 kB'],
			[999_500, '1.00 MB'],
			[Number.MAX_SAFE_INTEGER, '9.01 PB'],
		];
		for (const [bytes, words] of cases) assert.equal(byteWords(bytes), words);
	});
});
