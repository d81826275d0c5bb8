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
	const { people } = await operator.read('/operator/people');
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

test('operators find everybody by the beginning of the address, in pages that lead forth and back', async (t) => {
	const dashboard = await startDashboard(t);
	const operator = await dashboard.operator(OP);
	await dashboard.openReseller('acme', 100);
	const emails = Array.from({ length: 53 }, (_, index) => `user${String(index).padStart(2, '0')}@acme.example`);
	// The last one of the first page is not accepted any more, but such people exist.
	emails[48] = 'user48<@acme.example';
	for (const email of ['ümit@acme.example', ...emails.toReversed()]) await dashboard.invite(email, 'acme');
	const list = (query: object) => operator.read('/operator/people', query);
	const first = await list({});
	assert.deepEqual(
		first.people.slice(0, 2).map(({ email, reseller, role, state }) => [email, reseller, role, state]),
		[
			[OP, null, null, 'active'],
			['user00@acme.example', 'acme', 'owner', 'invited'],
		],
	);
	const second = await list({ after: first.next });
	assert.deepEqual(
		[...first.people, ...second.people].map(({ email }) => email),
		[OP, ...emails, 'ümit@acme.example'],
	);
	assert.equal(second.next, null);
	assert.deepEqual(await list({ before: second.previous }), first);
	const found = async (query: object) => (await list(query)).people.map(({ email }) => email);
	assert.deepEqual(await found({ of: 'operators' }), [OP]);
	assert.deepEqual(await found({ of: 'resellers', search: ' USER5' }), emails.slice(50));
	assert.deepEqual(await found({ search: 'Ü' }), ['ümit@acme.example']);
	assert.deepEqual(await found({ search: emails[7] }), [emails[7]]);
	assert.deepEqual(
		await found({ search: 'user5', after: 'user00@acme.example' }),
		emails.slice(50),
		'a foreign position',
	);
	for (const search of ['%', '_', 'x'.repeat(9000), "' OR 1=1"]) assert.deepEqual(await found({ search }), []);
	await operator.change('/operator/people/remove', { email: 'user48<@acme.example' });
	assert.deepEqual(await found({ search: 'user48' }), []);
});

test('operators see the acts of all people, with filters', async (t) => {
	const dashboard = await startDashboard(t);
	const { clock } = dashboard;
	clock.stop();
	const acme = await dashboard.resellerWithPerson('acme');
	const bolt = await dashboard.resellerWithPerson('bolt');
	const operator = await dashboard.operator(OP);
	const startedAtMs = clock.nowMs() + 1_000;
	const at = (index: number) => new Date(startedAtMs + index * 1_000).toISOString();
	for (const [index, step] of [
		() => acme.browser.change('/sub-users/create', { username: 'alice' }),
		() => bolt.browser.change('/overview/low-balance', { low_balance: 5 }),
		() => operator.change('/operator/top-up', { reseller: 'acme', amount: 1, reference: 'I', reason: '' }),
		() => acme.browser.change('/sub-users/show-key', { username: 'alice' }),
	].entries()) {
		clock.stoppedAtMs = startedAtMs + index * 1_000;
		await step();
	}
	const all = await operator.read('/operator/acts', { from: at(0) });
	const plain = { address: '127.0.0.1', token_tail: null, system_user: null, by_operator: false };
	assert.deepEqual(
		all.acts.map(({ number: _, ...act }) => act),
		[
			{ ...plain, kind: 'show_auth_key', target: 'alice', at: at(3), email: acme.email, reseller: 'acme' },
			{ ...plain, kind: 'top_up', target: 'acme 1', at: at(2), email: OP, by_operator: true, reseller: 'acme' },
			{ ...plain, kind: 'set_low_balance', target: '5', at: at(1), email: bolt.email, reseller: 'bolt' },
			{ ...plain, kind: 'create_sub_user', target: 'alice', at: at(0), email: acme.email, reseller: 'acme' },
		],
	);
	assert.deepEqual([all.next_before, all.searched_to], [null, null]);
	const kindsOf = async (query: Parameters<typeof operator.read<'/operator/acts'>>[1]) =>
		(await operator.read('/operator/acts', query)).acts.map(({ kind }) => kind);
	assert.deepEqual(await kindsOf({ email: ' ANN@acme.example ' }), [
		'show_auth_key',
		'create_sub_user',
		'accept_invitation',
	]);
	assert.deepEqual(await kindsOf({ email: acme.email, kind: 'show_auth_key' }), ['show_auth_key']);
	assert.deepEqual(await kindsOf({ email: ' @ACME', from: at(0) }), ['show_auth_key', 'create_sub_user']);
	assert.deepEqual(await kindsOf({ email: 'nn@', from: at(0) }), [
		'show_auth_key',
		'set_low_balance',
		'create_sub_user',
	]);
	assert.equal((await kindsOf({ email: '' })).length, (await kindsOf({})).length);
	assert.deepEqual(await kindsOf({ from: at(1), to: at(3) }), ['top_up', 'set_low_balance']);
	assert.deepEqual(await kindsOf({ before: all.acts[2]?.number ?? 0, from: at(0) }), ['create_sub_user']);
	for (const email of [
		'nobody@acme.example',
		'_nn@',
		'%',
		'no address',
		'<script>',
		"' OR 1=1 --",
		'\u202eann@acme.example',
		'x'.repeat(9000),
	]) {
		assert.deepEqual(await operator.read('/operator/acts', { email }), {
			acts: [],
			next_before: null,
			searched_to: null,
		});
	}
	dashboard.faults.searchActs = async () => ({ rows: [], nextBefore: 5, searchedToMs: startedAtMs });
	assert.deepEqual(await operator.read('/operator/acts', { kind: 'adjust' }), {
		acts: [],
		next_before: 5,
		searched_to: at(0),
	});
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
