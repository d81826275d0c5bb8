import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { PASSWORD, startDashboard } from '../../../support/dashboard.ts';
import { wholeFile } from '../../../support/whole-file.ts';

const BEN = 'ben@acme.example';

const dashboard = await startDashboard(wholeFile);
const { browser, publicUrl, resellerWithPerson } = dashboard;
const { browser: owner, ...acme } = await resellerWithPerson('acme');
const bolt = await resellerWithPerson('bolt');
const operator = await dashboard.operator('op@bursar.example');

const secretOf = (link: string) => new URL(link).hash.slice(1);

test('an owner invites a colleague by a link that is shown once, changes the role, and removes the colleague', async () => {
	const invited = await owner.change('/team/invite', { email: ' Ben@Acme.example ', role: 'manager' });
	assert.equal(invited.email, BEN);
	assert.match(invited.link, new RegExp(`^${publicUrl}/dashboard/invitation#[A-Za-z0-9_-]{43}$`));
	const team = await owner.read('/team');
	assert.deepEqual(
		team.people.map(({ email, role, state }) => [email, role, state]),
		[
			[acme.email, 'owner', 'active'],
			[BEN, 'manager', 'invited'],
		],
	);
	assert.doesNotMatch(JSON.stringify([team, await owner.read('/activity')]), new RegExp(secretOf(invited.link)));

	const again = await owner.change('/team/invite', { email: BEN, role: 'manager' });
	const ben = browser();
	await ben.refused('invalid_link', '/invitation', { link: secretOf(invited.link) });
	assert.partialDeepStrictEqual(await ben.ok('/invitation', { link: secretOf(again.link) }), {
		...{ email: BEN, reseller: 'acme', role: 'manager' },
	});
	await ben.ok('/invitation/accept', { link: secretOf(again.link), password: PASSWORD });
	assert.equal((await ben.read('/session')).person?.role, 'manager');
	await ben.change('/sub-users/create', { username: 'alice' });

	const changed = await owner.change('/team/role', { email: BEN.toUpperCase(), role: 'viewer' });
	assert.partialDeepStrictEqual(changed.people[1], { email: BEN, role: 'viewer' });
	assert.equal((await ben.read('/session')).person?.role, 'viewer', 'the session stays');
	await ben.refused('not_allowed', '/sub-users/give', { act: randomUUID(), username: 'alice', amount: 1 });
	await ben.read('/sub-user', { username: 'alice' });

	const left = await owner.change('/team/remove', { email: BEN });
	assert.deepEqual(
		left.people.map(({ email }) => email),
		[acme.email],
	);
	assert.equal((await ben.read('/session')).person, null);
	assert.equal((await browser().signIn(BEN)).errorCode, 'wrong_credentials');
	const { acts } = await owner.read('/activity', { email: BEN });
	assert.deepEqual(
		acts.map(({ kind, email }) => [kind, email]),
		[
			['create_sub_user', BEN],
			['accept_invitation', BEN],
		],
	);
});

test('an owner changes nothing of other resellers, of operators, or of the own account, and nothing twice', async () => {
	const refused = (code: Parameters<typeof owner.refused>[0], path: string, email: string, role = 'viewer') =>
		owner.refused(code, path, { act: randomUUID(), email, role });
	for (const path of ['/team/role', '/team/remove']) {
		for (const email of [bolt.email, 'op@bursar.example', 'no address']) await refused('unknown_person', path, email);
		await refused('own_account', path, acme.email);
	}
	for (const email of [bolt.email, 'op@bursar.example', acme.email])
		await refused('email_taken', '/team/invite', email);
	await refused('invalid_request', '/team/invite', 'no<envelope@acme.example');
	await refused('invalid_request', '/team/invite', BEN, 'boss');
	const body = { act: randomUUID(), email: BEN, role: 'viewer' };
	await owner.ok('/team/invite', body);
	await owner.refused('act_repeated', '/team/invite', { ...body, email: 'cyd@acme.example', role: 'owner' });
	assert.equal((await owner.read('/team')).people.length, 2);
	assert.equal((await bolt.browser.read('/team')).people.length, 1);
});

test('the activity of a reseller names its people and programs; operators stay unnamed, and without an address', async () => {
	const viewer = await dashboard.signedIn('vic@acme.example', 'acme', 'viewer');
	await owner.change('/sub-users/create', { username: 'acted' });
	await bolt.browser.change('/sub-users/create', { username: 'bruno' });
	await resellerApi(dashboard.url, acme.token).resetAuthKey({ username: 'acted' });
	await operator.change('/operator/top-up', { reseller: 'acme', amount: 7, reference: 'I-1', reason: '' });
	const unattended = { id: 'x', kind: 'unlock_person', target: '', requestId: 'cli', systemUser: 'root (ann)' };
	await dashboard.change({ kind: 'unlock_person', email: acme.email, unattended });
	const program = { operatorToken: 'shop ...x4Kd', address: '192.0.2.9' };
	const byProgram = { id: 'y', kind: 'unlock_person', target: '', requestId: 'r', ...program };
	await dashboard.change({ kind: 'unlock_person', email: acme.email, unattended: byProgram });

	const page = await viewer.read('/activity');
	const byOperator = { details: null, email: null, token_tail: null, by_operator: true, address: null };
	const own = { details: null, token_tail: null, by_operator: false, address: '127.0.0.1' };
	assert.deepEqual(
		page.acts.slice(0, 5).map(({ number: _, at: _at, ...act }) => act),
		[
			{ kind: 'unlock_person', target: '', ...byOperator },
			{ kind: 'unlock_person', target: '', ...byOperator },
			{ kind: 'top_up', target: 'acme 7', ...byOperator, details: { moved: 7 } },
			{ ...own, kind: 'reset_auth_key', target: 'acted', email: null, token_tail: acme.token.slice(-4) },
			{ ...own, kind: 'create_sub_user', target: 'acted', details: { fee: 10 }, email: acme.email },
		],
	);
	const file = await (await viewer.download('/activity.csv', { zone: 'UTC' })).text();
	const lines = file.trim().split('\r\n');
	assert.equal(lines[0], 'number,time (UTC),action,what,by,token,address,details');
	assert.deepEqual(
		lines.slice(-5).map((line) => line.split(',').slice(2).join(',')),
		[
			`create_sub_user,acted,${acme.email},,127.0.0.1,fee: 0.10 USD`,
			`reset_auth_key,acted,,${acme.token.slice(-4)},127.0.0.1,`,
			'top_up,acme 0.07 USD,operator,,,moved: 0.07 USD',
			'unlock_person,,operator,,,',
			'unlock_person,,operator,,,',
		],
	);
	for (const text of [JSON.stringify(page), file]) assert.doesNotMatch(text, /op@bursar|root|shop|bolt|bruno/);
	for (const email of ['op@bursar.example', 'op@', 'bursar', bolt.email]) {
		assert.deepEqual((await viewer.read('/activity', { email })).acts, [], email);
	}
	assert.equal((await viewer.read('/activity', { kind: 'top_up' })).acts.length, 1);
});
