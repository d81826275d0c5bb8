import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { bothEngines } from '../../../support/both-engines.ts';
import { startDashboard } from '../../../support/dashboard.ts';

const engines = await bothEngines();

for (const engine of engines) {
	test(`${engine.name}: a text that no store can have is refused, and never looks like a store that is away`, async (t) => {
		const dashboard = await startDashboard(t, await engine.environment());
		const { browser } = await dashboard.resellerWithPerson('acme');
		const operator = await dashboard.operator();
		for (const [asking, path] of [
			[browser, '/bandwidth?range=7d&edge=%00'],
			[browser, '/bandwidth.csv?range=7d&zone=UTC&edge=%00'],
			[browser, '/activity?email=%00'],
			[browser, '/activity.csv?zone=UTC&email=%00'],
			[operator, '/operator/bandwidth?range=7d&edge=%00'],
			[operator, '/operator/people?search=%00'],
			[operator, '/operator/acts?email=%00'],
			[operator, '/operator/search?text=%00'],
		] as const) {
			assert.equal((await asking.ask(path)).status, 400, path);
		}
		const text = 'a\0b';
		for (const [path, body] of [
			['/operator/edges/create', { name: text }],
			['/operator/edges/link', { name: text }],
			['/operator/edges/revoke', { name: text }],
			['/operator/top-up', { reseller: 'acme', amount: 100, reference: text, reason: '' }],
			['/operator/resellers/create', { reseller: text, opening_balance: 0 }],
			['/operator/people/invite', { email: `${text}@acme.example`, reseller: null, role: null }],
			['/operator/people/lock', { email: `${text}@acme.example` }],
			['/operator/suspend', { reseller: text }],
			[
				'/operator/usage/correct',
				{ reseller: 'acme', username: 'acme', day: '2026-11-21', up: 1, down: 1, reference: text, reason: 'wrong' },
			],
		] as const) {
			const { status } = await operator.ask(path, { act: randomUUID(), ...body });
			assert.ok(status >= 400 && status < 500, `${path} ${status}`);
		}
	});
}
