import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFailure, resellerApi } from '@bursar/testing/api';
import { startOperatorService } from '../../support/operator-service.ts';

const DAY_MS = 86_400_000;
const dayAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

test('bandwidth is corrected once for each reference, and read by day, account, reseller and sub-user', async (t) => {
	const { operator, ...service } = await startOperatorService(t);
	const { token } = await service.openReseller('acme', 1000);
	await service.openReseller('bolt', 0);
	await resellerApi(service.url, token).create({ username: 'alice' });
	await resellerApi(service.url, token).create({ username: 'bobby' });
	const [today, yesterday] = [dayAgo(0), dayAgo(1)];
	const correct = (body: object) => {
		const usual = { reseller: 'acme', username: 'alice', day: yesterday, up: 100, down: 900, reason: 'lost' };
		return operator('correctUsage', { ...usual, reference: 'r1', ...body });
	};
	const day = { username: 'alice', day: yesterday, up: 100, down: 900 };
	assert.deepEqual((await correct({})).data, { ...day, repeated: false });
	assert.deepEqual((await correct({ reseller: 'ACME', username: 'Alice' })).data, { ...day, repeated: true });
	assertFailure(await correct({ up: 1 }), 409, 'reference_conflict');
	const ofAlice = { reseller: 'acme', username: 'alice' };
	assert.deepEqual((await operator('viewUsageDay', { ...ofAlice, day: yesterday })).data, day);
	assert.deepEqual((await operator('viewUsageDay', { ...ofAlice, day: today })).data, {
		...day,
		...{ day: today, up: 0, down: 0 },
	});
	for (const [of, username] of [
		['bolt', 'alice'],
		['acme', 'nobody'],
		['x', 'alice'],
		['acme', 'x'],
	]) {
		assertFailure(await operator('viewUsageDay', { reseller: of, username, day: today }), 404, 'unknown_account');
		assertFailure(await correct({ reseller: of, username, reference: 'r2' }), 404, 'unknown_account');
	}
	for (const [body, status, code] of [
		[{ up: 0, down: 0 }, 400, 'invalid_bytes'],
		[{ up: 0.5 }, 400, 'invalid_bytes'],
		[{ up: Number.MAX_SAFE_INTEGER }, 409, 'too_many_bytes'],
		[{ up: -101 }, 409, 'too_few_bytes'],
		[{ day: '2999-01-01' }, 409, 'day_ahead'],
		[{ day: '2026-02-30' }, 400, 'invalid_request'],
		[{ reason: '' }, 400, 'invalid_reason'],
		[{ reference: 'two  spaces' }, 400, 'invalid_reference'],
	] as const) {
		assertFailure(await correct({ reference: 'r3', ...body }), status, code, JSON.stringify(body));
	}

	await correct({ username: 'bobby', up: 0, down: 50, reference: 'r4' });
	await correct({ username: 'bobby', day: today, up: 7, down: 0, reference: 'r5' });
	await correct({ reseller: 'bolt', username: 'bolt', up: 3, down: 0, reference: 'r6' });
	const view = async (body: object) =>
		(await operator('viewUsage', { from: yesterday, to: today, unit: 'day', ...body })).data;
	const bytes = ({ spans }: { spans: { up: number; down: number }[] }) => spans.map(({ up, down }) => [up, down]);
	const all = await view({ by: 'reseller' });
	assert.deepEqual(bytes(all), [
		[103, 950],
		[7, 0],
	]);
	assert.deepEqual(
		all.spans.map(({ timestamp, cost }: { timestamp: string; cost: number }) => [timestamp, cost]),
		[yesterday, today].map((each) => [`${each}T00:00:00.000Z`, 0]),
	);
	assert.deepEqual(all.parts, [
		{ name: 'acme', up: 107, down: 950, values: [1050, 7] },
		{ name: 'bolt', up: 3, down: 0, values: [3, 0] },
	]);
	assert.equal(all.known_since, null);
	const acme = await view({ reseller: 'ACME', by: 'sub_user' });
	assert.deepEqual(
		acme.parts.map(({ name, values }: { name: string; values: number[] }) => [name, values]),
		[
			['alice', [1000, 0]],
			['bobby', [50, 7]],
		],
	);
	assert.deepEqual(bytes(await view({ reseller: 'bolt' })), [
		[3, 0],
		[0, 0],
	]);
});

test('bandwidth is read by hour and by edge, and what cannot be shown is refused', async (t) => {
	const { operator, ...service } = await startOperatorService(t);
	await service.openReseller('acme', 0);
	await service.openEdge('fra-1');
	const today = dayAgo(0);
	const view = (body: object) => operator('viewUsage', { from: today, to: today, unit: 'hour', ...body });
	const { unit, spans, parts } = (await view({ by: 'edge' })).data;
	assert.deepEqual([unit, parts], ['hour', []]);
	assert.ok(spans.length >= 1 && spans.length <= 24);
	assert.equal(spans[0].cost, null);
	assert.equal((await view({ reseller: 'acme', edge: 'fra-1' })).status, 200);
	assertFailure(await view({ edge: 'ams-1' }), 404, 'unknown_edge');
	assertFailure(await view({ reseller: 'nobody' }), 404, 'unknown_reseller');
	for (const body of [
		{ from: dayAgo(7) },
		{ unit: 'day', from: dayAgo(90) },
		{ from: dayAgo(1), to: dayAgo(2) },
		{ to: '2999-01-01' },
		{ by: 'sub_user' },
		{ by: 'reseller', reseller: 'acme' },
		{ by: 'edge', edge: 'fra-1' },
		{ unit: 'month' },
		{ from: undefined },
	]) {
		assertFailure(await view(body), 400, 'invalid_request', JSON.stringify(body));
	}
});
