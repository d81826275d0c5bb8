import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import fastify from 'fastify';
import type { EdgeTotals } from '../../../src/bank/edge-uses.ts';
import { createCheckTurns } from '../../../src/http/edge/check-turns.ts';
import { checkRoute } from '../../../src/http/edge/routes/check.ts';

test('edges take turns, one in each turn of the event loop', async () => {
	const turn = createCheckTurns();
	const begun: string[] = [];
	const asked = ['flood', 'flood', 'flood', 'quiet', 'other'].map(async (edge) => {
		await turn(edge);
		begun.push(edge);
	});
	const after: number[] = [];
	for (let loop = 0; loop < 5; loop++) {
		await setImmediate();
		after.push(begun.length);
	}
	await Promise.all(asked);
	assert.deepEqual(begun, ['flood', 'quiet', 'other', 'flood', 'flood']);
	assert.ok(
		after.every((count, loop) => count <= loop + 1),
		`begun after each turn of the event loop: ${after}`,
	);
});

test('however many names edges ask for at once, a turn of the event loop begins few checks', async (t) => {
	const app = fastify();
	t.after(() => app.close());
	let [checks, mostInATurn, running] = [0, 0, true];
	const totals = { name: 'gw', checks: { ok: 0, wrong_pair: 0, throttled: 0, unavailable: 0 } };
	app.decorateRequest('edge', { getter: () => totals as unknown as EdgeTotals });
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, bytes: Buffer) => ({ bytes }));
	const check = () => {
		checks++;
		return 'wrong_pair' as const;
	};
	const addressChecks = { check: () => assert.fail(), recheck: () => assert.fail() };
	checkRoute(app, { pairChecks: { check }, addressChecks, isSignInUsed: () => false });
	await app.ready();
	const counting = (async () => {
		for (let before = 0; running; before = checks) {
			await setImmediate();
			mostInATurn = Math.max(mostInATurn, checks - before);
		}
	})();
	const sizes = [1000, 1000, 1000, 1000, 120, 120, 2];
	const answers = await Promise.all(
		sizes.map((size) => {
			const names = Array.from({ length: size }, (_, n) => ({ username: `invented.${n}`, password: 'guess' }));
			return app.inject({ method: 'POST', url: '/edge/v1/check', payload: { checks: names } });
		}),
	);
	running = false;
	await counting;
	assert.deepEqual(
		answers.map((answer) => answer.json().checks.length),
		sizes,
	);
	assert.equal(checks, totals.checks.wrong_pair);
	assert.ok(mostInATurn <= 50, `${mostInATurn} checks in a turn`);
});
