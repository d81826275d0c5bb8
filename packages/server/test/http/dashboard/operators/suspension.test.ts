import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { DashboardChanges } from '@bursar/contract/dashboard';
import { resellerApi } from '@bursar/testing/api';
import { StoreUnavailableError } from '../../../../src/store/store.ts';
import { startDashboard } from '../../../support/dashboard.ts';

const OP = 'op@bursar.example';

/** What the people of a suspended reseller may not do, with a body that is right otherwise. */
const REFUSED: Partial<Record<keyof DashboardChanges, object>> = {
	'/sub-users/create': { username: 'bruno' },
	'/sub-users/give': { username: 'alice', amount: 1 },
	'/sub-users/take': { username: 'alice', amount: 1 },
	'/sub-users/reset-key': { username: 'alice' },
	'/sub-users/suspend': { username: 'alice' },
	'/sub-users/resume': { username: 'alice' },
	'/sub-users/limits': { username: 'alice', limits: { day_bytes: 1 } },
	'/sub-users/note': { username: 'alice', note: 'n' },
	'/sub-users/delete': { username: 'alice' },
};

async function start(t: Parameters<typeof startDashboard>[0]) {
	const dashboard = await startDashboard(t);
	const operator = await dashboard.operator(OP);
	const acme = await dashboard.resellerWithPerson('acme');
	const bolt = await dashboard.resellerWithPerson('bolt');
	await acme.browser.change('/sub-users/create', { username: 'alice' });
	await acme.browser.change('/sub-users/give', { username: 'alice', amount: 100 });
	const accounts = () =>
		Promise.all(['acme', 'alice', 'bruno'].map((username) => dashboard.store.findAccount('acme', username)));
	return { ...dashboard, operator, acme, bolt, accounts };
}

test('the people of a suspended reseller learn it, read everything and change no money and no sub-user', async (t) => {
	const { operator, acme, bolt, accounts, url } = await start(t);
	const { browser: ann } = acme;
	assert.deepEqual(await ann.read('/suspension'), { since: null });
	const { suspended } = await operator.change('/operator/suspend', { reseller: 'ACME' });
	assert.ok(suspended);
	assert.deepEqual(await ann.read('/suspension'), { since: suspended });
	assert.deepEqual(await bolt.browser.read('/suspension'), { since: null });

	const before = await accounts();
	const acts = (await ann.read('/account/acts')).acts.length;
	for (const [path, body] of Object.entries(REFUSED)) {
		await ann.refused('suspended', path, { act: randomUUID(), ...body });
	}
	assert.deepEqual(await accounts(), before, 'what is refused changes nothing and costs nothing');
	assert.equal((await ann.read('/account/acts')).acts.length, acts, 'what is refused was not done');
	assert.equal((await bolt.browser.change('/sub-users/create', { username: 'carol' })).username, 'carol');

	assert.equal((await ann.read('/overview')).balance, 890);
	assert.equal((await ann.read('/sub-users')).sub_users.length, 1);
	assert.equal((await ann.read('/statement')).movements.length, 3);
	const { proxy_authkey: key } = await ann.change('/sub-users/show-key', { username: 'alice' });
	assert.equal(key, before[1]?.proxyAuthkey);
	await ann.change('/overview/low-balance', { low_balance: 5 });
	const { token } = await ann.change('/token/rotate', { overlap_seconds: 0 });
	assert.equal((await resellerApi(url, token).myInfo()).status, 200, 'a token that leaked can be replaced');
	const payment = { reseller: 'acme', amount: 5, reference: 'P-1', reason: '' };
	assert.equal((await operator.change('/operator/top-up', payment)).details.suspended, suspended);

	assert.equal((await operator.change('/operator/resume', { reseller: 'acme' })).suspended, null);
	assert.deepEqual(await ann.read('/suspension'), { since: null });
	for (const [path, body] of Object.entries(REFUSED)) await ann.ok(path as never, { act: randomUUID(), ...body });
});

test('an operator suspends a reseller once for its act; lists and pages say since when, and it is recorded', async (t) => {
	const { operator, store, faults } = await start(t);
	const act = randomUUID();
	const { suspended } = await operator.ok('/operator/suspend', { act, reseller: 'acme' });
	await operator.refused('act_repeated', '/operator/resume', { act, reseller: 'acme' });
	// Set again, it stays as it was, and nothing is recorded.
	assert.equal((await operator.change('/operator/suspend', { reseller: 'acme' })).suspended, suspended);
	assert.equal((await operator.read('/operator/reseller', { reseller: 'acme' })).suspended, suspended);
	const { resellers } = await operator.read('/operator/resellers');
	assert.deepEqual(
		resellers.map((each) => [each.reseller, each.suspended]),
		[
			['acme', suspended],
			['bolt', null],
		],
	);
	faults.findSuspension = () => Promise.reject(new StoreUnavailableError('planted'));
	await operator.refused('outcome_unknown', '/operator/resume', { act: randomUUID(), reseller: 'acme' });
	delete faults.findSuspension;
	assert.equal(await store.findSuspension('acme'), null, 'it was done');
	const { acts } = await operator.read('/operator/acts');
	assert.deepEqual(
		acts
			.filter(({ kind }) => kind === 'suspend_reseller' || kind === 'resume_reseller')
			.map(({ kind, target, email, reseller }) => [kind, target, email, reseller]),
		[
			['resume_reseller', 'acme', OP, 'acme'],
			['suspend_reseller', 'acme', OP, 'acme'],
		],
	);
	for (const reseller of ['alice', 'nobody', '', '<script>', 'x'.repeat(9000)]) {
		for (const path of ['/operator/suspend', '/operator/resume']) {
			await operator.refused('unknown_reseller', path, { act: randomUUID(), reseller });
		}
	}
});
