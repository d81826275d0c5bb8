import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { startTestService, type TestService } from '@bursar/testing/service';
import { startOfDayMs, usageDayOf } from '../../../src/domain/usage.ts';
import { openStore } from '../../../src/engine.ts';

interface Used {
	readonly username: string;
	readonly atMs: number;
	readonly up: number;
	readonly down: number;
}

/** Counts reports, as the operator's import does. */
async function report(service: TestService, used: readonly Used[]): Promise<void> {
	const store = await openStore(service.config);
	const reports = used.map(({ up, down, ...rest }, i) => ({
		source: 'host',
		id: `${i}`,
		bytesUp: up,
		bytesDown: down,
		...rest,
	}));
	const answer = await store.recordUsage(reports, Date.now());
	await store.close();
	assert.equal(answer.kind, 'committed');
	if (answer.kind === 'committed')
		assert.deepEqual(
			answer.results,
			reports.map(() => 'counted'),
		);
}

/** The current day, which must not end while a test runs. */
async function today(): Promise<number> {
	const leftMs = startOfDayMs(usageDayOf(Date.now()) + 1) - Date.now();
	if (leftMs < 20_000) await new Promise((resolve) => setTimeout(resolve, leftMs));
	return usageDayOf(Date.now());
}

test('usage is shown for today and the 89 days before it, and for no other day', async (t) => {
	const service = await startTestService(t);
	const api = resellerApi(service.url, (await service.openReseller('acme', 1000)).token);
	await api.create({ username: 'alice' });
	const day = await today();
	const ages = [0, 1, 88, 89, 90, 91, 119];
	await report(
		service,
		ages.flatMap((age) => [
			{ username: 'alice', atMs: startOfDayMs(day - age), up: age + 1, down: 1000 },
			...(age > 0 ? [{ username: 'alice', atMs: startOfDayMs(day - age + 1) - 1, up: 0, down: 1 }] : []),
		]),
	);
	const { status, data } = await api.viewTxs({ username: 'alice' });
	assert.equal(status, 200);
	const shown = [0, 1, 88, 89].map((age) => ({
		bandwidth: { up: age + 1, down: age > 0 ? 1001 : 1000 },
		timestamp: new Date(startOfDayMs(day - age)).toISOString(),
	}));
	const byTime = (a: { timestamp: string }, b: { timestamp: string }) => b.timestamp.localeCompare(a.timestamp);
	assert.deepEqual(data.toSorted(byTime), shown);
	for (const { timestamp } of data) assert.match(timestamp, /^\d{4}-\d\d-\d\dT00:00:00\.000Z$/);
});

test('a full history has 90 records', async (t) => {
	const service = await startTestService(t);
	const api = resellerApi(service.url, (await service.openReseller('acme', 1000)).token);
	await api.create({ username: 'alice' });
	const day = await today();
	await report(
		service,
		Array.from({ length: 100 }, (_, age) => ({ username: 'alice', atMs: startOfDayMs(day - age), up: 1, down: 2 })),
	);
	assert.equal((await api.viewTxs({ username: 'alice' })).data.length, 90);
});

test('a day without usage has no record, and neither reseller sees the usage of the other', async (t) => {
	const service = await startTestService(t);
	const acme = resellerApi(service.url, (await service.openReseller('acme', 1000)).token);
	const bolt = resellerApi(service.url, (await service.openReseller('bolt', 1000)).token);
	await acme.create({ username: 'alice' });
	await acme.create({ username: 'amy.1' });
	await bolt.create({ username: 'bob.1' });
	const atMs = startOfDayMs(await today());
	await report(service, [
		{ username: 'alice', atMs, up: 1, down: Number.MAX_SAFE_INTEGER },
		{ username: 'bob.1', atMs, up: 3, down: 4 },
		{ username: 'acme', atMs, up: 5, down: 0 },
	]);
	const seen = async (api: typeof acme, username: string) => (await api.viewTxs({ username })).data;
	assert.deepEqual(
		(await seen(acme, 'alice')).map((day: { bandwidth: unknown }) => day.bandwidth),
		[{ up: 1, down: Number.MAX_SAFE_INTEGER }],
	);
	assert.deepEqual(await seen(acme, 'amy.1'), []);
	assert.deepEqual(
		(await seen(bolt, 'bob.1')).map((day: { bandwidth: unknown }) => day.bandwidth),
		[{ up: 3, down: 4 }],
	);
	for (const username of ['bob.1', 'acme'])
		assert.equal((await acme.viewTxs({ username })).errorCode, 'unknown_sub_user');
});
