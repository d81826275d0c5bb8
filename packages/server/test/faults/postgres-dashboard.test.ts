import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { startPostgres } from '@bursar/testing/postgres-server';
import { type Browser, PASSWORD, startDashboard } from '../support/dashboard.ts';

/** Every answer comes within five seconds, and a sign-in takes two steps. The rest allows for a slow machine. */
const ANSWER_LIMIT_MS = 15_000;
const RESUME_LIMIT_MS = 30_000;

const database = await startPostgres();
after(() => database.remove());

for (const [title, stop] of [
	['is stopped', () => database.stop('immediate')],
	['hangs', () => database.freeze()],
] as const) {
	test(`while the server ${title}, calls are unavailable in time, and people stay signed in`, async (t) => {
		const dashboard = await startDashboard(t, {
			BURSAR_DATABASE_URL: await database.createDatabase(),
			BURSAR_MASTER_KEY: randomBytes(32).toString('base64'),
		});
		const { email, browser } = await dashboard.resellerWithPerson('acme');
		const { passkey } = await browser.addPasskey();
		await browser.ok('/account');
		const question = await browser.ok('/sign-in/passkey/question', {});
		await stop();
		const stranger = dashboard.browser();
		const calls: readonly (readonly [Browser, string, unknown?])[] = [
			[browser, '/session'],
			[browser, '/account'],
			[browser, '/token'],
			[browser, '/proof', { password: PASSWORD }],
			[browser, '/token/rotate', { act: randomUUID(), overlap_seconds: 0 }],
			[stranger, '/invitation', { link: 'x' }],
			[stranger, '/sign-in', { email, password: PASSWORD }],
			[stranger, '/sign-in/passkey', { response: passkey.get(question) }],
		];
		const begunMs = performance.now();
		await Promise.all(
			calls.map(async ([from, path, body]) => {
				await from.refused('unavailable', path, body);
				const tookMs = performance.now() - begunMs;
				assert.ok(tookMs < ANSWER_LIMIT_MS, `${path} took ${Math.round(tookMs)} ms`);
			}),
		);
		assert.equal((await fetch(`${dashboard.opsUrl}/livez`)).status, 200);
		assert.equal((await stranger.ok('/session')).person, null, 'without a cookie, the store is not asked');
		if (title === 'hangs') await database.kill();
		await database.start();
		await eventually(() => browser.ok('/account'), RESUME_LIMIT_MS);
		assert.equal((await stranger.signInWithPasskey(passkey)).status, 200);
	});
}
