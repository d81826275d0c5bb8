import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { PASSWORD, startDashboard } from '../../../support/dashboard.ts';

const OP = 'op@bursar.example';
const THREE_DAYS_MS = 3 * 86_400_000;

const OPERATOR = { reseller: null, role: null };

test('a link invites a person, is shown once, and works once', async (t) => {
	const { operator, openReseller, clock, publicUrl, browser } = await startDashboard(t).then(async (dashboard) => ({
		...dashboard,
		operator: await dashboard.operator(OP),
	}));
	await openReseller('acme', 100);
	clock.stop();
	const invited = await operator.change('/operator/people/invite', {
		email: ' Ann@Acme.example',
		reseller: 'ACME',
		role: 'manager',
	});
	const { link, ...rest } = invited;
	assert.deepEqual(rest, {
		email: 'ann@acme.example',
		expires: new Date(clock.nowMs() + THREE_DAYS_MS).toISOString(),
	});
	assert.match(link, new RegExp(`^${publicUrl}/dashboard/invitation#[A-Za-z0-9_-]{43}$`));
	const details = await operator.read('/operator/reseller', { reseller: 'acme' });
	assert.deepEqual(details.people, [
		{ email: 'ann@acme.example', role: 'manager', state: 'invited', second_factor: false, last_seen: null },
	]);
	const acts = await operator.read('/operator/acts');
	assert.deepEqual([acts.acts[0]?.kind, acts.acts[0]?.target], ['invite_person', 'ann@acme.example manager']);
	const secret = new URL(link).hash.slice(1);
	assert.doesNotMatch(JSON.stringify([details, acts]), new RegExp(secret));
	const again = await operator.change('/operator/people/invite', {
		email: 'ann@acme.example',
		reseller: 'acme',
		role: 'manager',
	});
	const person = browser();
	await person.refused('invalid_link', '/invitation', { link: secret });
	await person.ok('/invitation/accept', { link: new URL(again.link).hash.slice(1), password: PASSWORD });
	assert.partialDeepStrictEqual((await person.read('/session')).person, { reseller: 'acme', role: 'manager' });
	for (const worksFor of [{ reseller: 'acme', role: 'manager' }, OPERATOR]) {
		const body = { act: randomUUID(), email: 'ann@acme.example', ...worksFor };
		await operator.refused('email_taken', '/operator/people/invite', body);
	}
	const another = await operator.change('/operator/people/invite', {
		email: 'ops@bursar.example',
		reseller: null,
		role: null,
	});
	assert.equal(another.email, 'ops@bursar.example');
	for (const email of [
		'',
		'ann',
		'ann@',
		'\u202eann@acme.example',
		'a\u0000@acme.example',
		'<ann@acme.example>',
		`${'x'.repeat(300)}@acme.example`,
	]) {
		const body = { act: randomUUID(), email, reseller: 'acme', role: 'owner' };
		await operator.refused('invalid_request', '/operator/people/invite', body);
	}
	for (const worksFor of [
		{ reseller: 'acme', role: null },
		{ reseller: null, role: 'owner' },
		{ reseller: 'acme', role: 'boss' },
	]) {
		const body = { act: randomUUID(), email: 'eve@acme.example', ...worksFor };
		await operator.refused('invalid_request', '/operator/people/invite', body);
	}
});

test('an operator locks, unlocks and resets a person, and each is recorded', async (t) => {
	const dashboard = await startDashboard(t);
	const acme = await dashboard.resellerWithPerson('acme');
	const operator = await dashboard.operator(OP);
	const { email } = acme;
	const stateOf = async () => (await operator.read('/operator/reseller', { reseller: 'acme' })).people[0]?.state;

	assert.deepEqual(await operator.change('/operator/people/lock', { email: email.toUpperCase() }), {});
	assert.equal(await stateOf(), 'locked');
	assert.equal((await acme.browser.read('/session')).person, null);
	assert.equal((await dashboard.browser().signIn(email)).errorCode, 'wrong_credentials');
	await operator.change('/operator/people/unlock', { email });
	assert.equal(await stateOf(), 'active');
	assert.equal((await acme.browser.signIn(email)).status, 200);

	const reset = await operator.change('/operator/people/reset', { email });
	assert.equal((await acme.browser.read('/session')).person, null);
	assert.equal((await dashboard.browser().signIn(email)).errorCode, 'wrong_credentials');
	await acme.browser.ok('/invitation/accept', { link: new URL(reset.link).hash.slice(1), password: PASSWORD });

	const { acts } = await operator.read('/operator/acts', { email: OP });
	assert.deepEqual(
		acts.slice(0, 3).map(({ kind, target }) => [kind, target]),
		[
			['reset_person', email],
			['unlock_person', email],
			['lock_person', email],
		],
	);
	for (const path of ['lock', 'unlock', 'reset']) {
		for (const unknown of ['nobody@acme.example', 'no address']) {
			await operator.refused('unknown_person', `/operator/people/${path}`, { act: randomUUID(), email: unknown });
		}
	}
});

test('an operator cannot lock or reset the own account, only that of another operator', async (t) => {
	const dashboard = await startDashboard(t);
	const operator = await dashboard.operator(OP);
	await dashboard.operator('second@bursar.example');
	for (const path of ['/operator/people/lock', '/operator/people/reset']) {
		await operator.refused('own_account', path, { act: randomUUID(), email: OP });
	}
	await operator.change('/operator/people/lock', { email: 'second@bursar.example' });
	await dashboard.resellerWithPerson('acme');
	const { people: found } = await operator.read('/operator/people', { of: 'resellers', search: ' ANN@' });
	assert.deepEqual(
		found.map(({ email, reseller, role }) => [email, reseller, role]),
		[['ann@acme.example', 'acme', 'owner']],
	);
	for (const search of ['%', '_', "' OR 1=1"])
		assert.deepEqual((await operator.read('/operator/people', { search })).people, []);
	const { people } = await operator.read('/operator/people', { of: 'operators' });
	assert.deepEqual(
		people.map(({ email, state }) => [email, state]),
		[
			[OP, 'active'],
			['second@bursar.example', 'locked'],
		],
	);
	assert.equal((await operator.read('/session')).person?.email, OP);
});

test('an operator removes a person, who can do nothing any more, and whose acts still say who it was', async (t) => {
	const dashboard = await startDashboard(t);
	const operator = await dashboard.operator(OP);
	const acme = await dashboard.resellerWithPerson('acme');
	await acme.browser.change('/sub-users/create', { username: 'alice' });
	const act = randomUUID();
	await operator.ok('/operator/people/remove', { act, email: ' ANN@acme.example ' });
	await operator.refused('act_repeated', '/operator/people/remove', { act, email: acme.email });
	await operator.refused('unknown_person', '/operator/people/remove', { act: randomUUID(), email: acme.email });
	await operator.refused('own_account', '/operator/people/remove', { act: randomUUID(), email: OP });
	await acme.browser.refused('signed_out', '/overview');
	await dashboard.browser().refused('wrong_credentials', '/sign-in', { email: acme.email, password: PASSWORD });
	assert.deepEqual((await operator.read('/operator/reseller', { reseller: 'acme' })).people, []);
	const { acts } = await operator.read('/operator/acts');
	assert.deepEqual(
		acts.slice(0, 2).map(({ kind, target, email, reseller }) => [kind, target, email, reseller]),
		[
			['remove_person', acme.email, OP, 'acme'],
			['create_sub_user', 'alice', acme.email, 'acme'],
		],
	);
	// Somebody else may get the address. What the first one did is not theirs.
	const again = await dashboard.signedIn(acme.email, 'acme');
	assert.deepEqual(
		(await again.read('/account/acts')).acts.map(({ kind }) => kind),
		['accept_invitation'],
	);
	dashboard.clock.aheadMs = 5 * 60_000;
	await operator.refused('proof_required', '/operator/people/remove', { act: randomUUID(), email: acme.email });
});

test('what people, programs and the command line did is a file too, the oldest first, with the filters of the list', async (t) => {
	const dashboard = await startDashboard(t);
	const acme = await dashboard.resellerWithPerson('acme');
	const operator = await dashboard.operator(OP);
	await acme.browser.change('/sub-users/create', { username: 'alice' });
	await resellerApi(dashboard.url, acme.token).resetAuthKey({ username: 'alice' });
	const commandLine = { id: 'x', kind: 'lock_person', target: '', requestId: 'cli', systemUser: 'root (ann)' };
	await dashboard.change({ kind: 'lock_person', email: acme.email, commandLine });
	const linesOf = async (query: object) => {
		const file = await operator.download('/operator/acts.csv', { zone: 'UTC', ...query });
		assert.match(
			file.headers.get('content-disposition') ?? '',
			/^attachment; filename="activity-20\d\d-\d\d-\d\d\.csv"$/,
		);
		const lines = (await file.text()).trim().split('\r\n');
		assert.equal(
			lines[0]?.replace('\ufeff', ''),
			'number,time (UTC),action,what,person,reseller,token,system user,address',
		);
		return lines.slice(1).map((line) => line.split(',').toSpliced(0, 2).join());
	};
	const all = await linesOf({});
	assert.deepEqual(all.slice(-3), [
		`create_sub_user,alice,${acme.email},acme,,,127.0.0.1`,
		`reset_auth_key,alice,,acme,${acme.token.slice(-4)},,127.0.0.1`,
		'lock_person,,,acme,,root (ann),',
	]);
	assert.deepEqual(await linesOf({ email: 'ann@', kind: 'create_sub_user' }), all.slice(-3, -2));
	assert.deepEqual(await linesOf({ email: 'nobody' }), []);
});
