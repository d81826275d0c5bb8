import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { PASSWORD, startDashboard } from '../../../support/dashboard.ts';
import { wholeFile } from '../../../support/whole-file.ts';

const OP = 'op@bursar.example';
const THREE_DAYS_MS = 3 * 86_400_000;

const dashboard = await startDashboard(wholeFile);
const { clock, publicUrl, browser, openReseller, resellerWithPerson } = dashboard;
clock.stop();
const operator = await dashboard.operator(OP);

const act = () => randomUUID();
const secretOf = (link: string) => new URL(link).hash.slice(1);
const peopleOf = async (reseller: string) => (await operator.read('/operator/reseller', { reseller })).people;

test('an operator without a second factor can do nothing but add one', async () => {
	const newcomer = await dashboard.signedIn('new@bursar.example', null);
	const { person } = await newcomer.ok('/session');
	assert.deepEqual([person?.reseller, person?.second_factor_required], [null, true]);
	for (const [path, body] of [
		['/account/acts', undefined],
		['/token', undefined],
		['/token/rotate', { act: act(), overlap_seconds: 0 }],
		['/token/end-all', { act: act() }],
		['/account/password', { act: act(), password: `${PASSWORD}!` }],
		['/account/recovery-codes', { act: act() }],
		['/account/sessions/end', { act: act(), id: act() }],
		['/account/sessions/end-others', { act: act() }],
	] as const) {
		await newcomer.refused('second_factor_required', path, body);
	}
	await newcomer.ok('/account');
	await newcomer.ok('/proof', { password: PASSWORD });
	await newcomer.ok('/proof/passkey/question', {});
	await newcomer.ok('/account/codes/setup', {});
	await newcomer.addPasskey();
	assert.equal((await newcomer.ok('/session')).person?.second_factor_required, false);
	await newcomer.ok('/account/acts');
	await newcomer.ok('/sign-out', {});
});

test('a link invites a person, is shown once, and works once', async () => {
	const path = '/operator/people/invite';
	await openReseller('inviting', 100);
	const invitation = { email: ' Ann@Inviting.example', reseller: 'INVITING', role: 'manager' } as const;
	const { link, ...rest } = await operator.change(path, invitation);
	const email = 'ann@inviting.example';
	assert.deepEqual(rest, {
		email,
		expires: new Date(clock.nowMs() + THREE_DAYS_MS).toISOString(),
		mailing: 'not_set_up',
	});
	assert.match(link, new RegExp(`^${publicUrl}/dashboard/invitation#[A-Za-z0-9_-]{43}$`));
	const people = await peopleOf('inviting');
	assert.deepEqual(people, [{ email, role: 'manager', state: 'invited', second_factor: false, last_seen: null }]);
	const { acts } = await operator.read('/operator/acts');
	assert.deepEqual([acts[0]?.kind, acts[0]?.target], ['invite_person', `${email} manager`]);
	assert.doesNotMatch(JSON.stringify([people, acts]), new RegExp(secretOf(link)));
	const again = await operator.change(path, invitation);
	const person = browser();
	await person.refused('invalid_link', '/invitation', { link: secretOf(link) });
	await person.ok('/invitation/accept', { link: secretOf(again.link), password: PASSWORD });
	assert.partialDeepStrictEqual((await person.read('/session')).person, { reseller: 'inviting', role: 'manager' });
	await operator.refused('email_taken', path, { act: act(), email, reseller: null, role: null });
	const another = await operator.change(path, { email: 'ops@bursar.example', reseller: null, role: null });
	assert.equal(another.email, 'ops@bursar.example');
	for (const change of [
		...['', 'ann@', '\u202eann@acme.example', '<ann@acme.example>', `${'x'.repeat(300)}@acme.example`].map((email) => ({
			email,
		})),
		...[{ role: null }, { reseller: null }, { role: 'boss' }],
	]) {
		const body = { act: act(), email: 'eve@acme.example', reseller: 'inviting', role: 'owner', ...change };
		await operator.refused('invalid_request', path, body);
	}
});

test('an operator locks, unlocks, resets and removes others, and each is recorded with who did it', async () => {
	const { email, browser: person } = await resellerWithPerson('acme');
	await person.change('/sub-users/create', { username: 'alice' });
	assert.deepEqual(await operator.change('/operator/people/lock', { email: email.toUpperCase() }), {});
	assert.equal((await peopleOf('acme'))[0]?.state, 'locked');
	assert.equal((await person.read('/session')).person, null);
	assert.equal((await browser().signIn(email)).errorCode, 'wrong_credentials');
	await operator.change('/operator/people/unlock', { email });
	assert.equal((await peopleOf('acme'))[0]?.state, 'active');
	assert.equal((await person.signIn(email)).status, 200);

	const reset = await operator.change('/operator/people/reset', { email });
	assert.equal((await person.read('/session')).person, null);
	assert.equal((await browser().signIn(email)).errorCode, 'wrong_credentials');
	await person.ok('/invitation/accept', { link: secretOf(reset.link), password: PASSWORD });

	const removal = { act: act(), email: ` ${email}` };
	await operator.ok('/operator/people/remove', removal);
	await operator.refused('act_repeated', '/operator/people/remove', removal);
	await person.refused('signed_out', '/overview');
	await browser().refused('wrong_credentials', '/sign-in', { email, password: PASSWORD });
	assert.deepEqual(await peopleOf('acme'), []);
	const { acts } = await operator.read('/operator/acts', { email: OP });
	assert.deepEqual(
		acts.slice(0, 4).map(({ kind, target, reseller }) => [kind, target, reseller]),
		['remove', 'reset', 'unlock', 'lock'].map((done) => [`${done}_person`, email, 'acme']),
	);
	const ofPerson = await operator.read('/operator/acts', { email, kind: 'create_sub_user' });
	assert.deepEqual([ofPerson.acts[0]?.email, ofPerson.acts[0]?.reseller], [email, 'acme'], 'of who was removed, too');
	// Another person may get the address. The acts of the first person are not shown to the second.
	const next = await dashboard.signedIn(email, 'acme');
	assert.equal((await next.read('/account/acts')).acts.length, 1);

	for (const path of ['lock', 'reset', 'remove']) {
		await operator.refused('own_account', `/operator/people/${path}`, { act: act(), email: OP });
		await operator.refused('unknown_person', `/operator/people/${path}`, { act: act(), email: 'no address' });
	}
});

test('people are found by what they work for, and by the beginning of the address', async () => {
	await resellerWithPerson('found');
	await dashboard.operator('zoe@bursar.example');
	await operator.change('/operator/people/lock', { email: 'zoe@bursar.example' });
	const { people: found } = await operator.read('/operator/people', { of: 'resellers', search: ' ANN@found' });
	assert.deepEqual(
		found.map(({ email, reseller, role }) => [email, reseller, role]),
		[['ann@found.example', 'found', 'owner']],
	);
	for (const search of ['%', "' OR 1=1"]) {
		assert.deepEqual((await operator.read('/operator/people', { search })).people, []);
	}
	const { people } = await operator.read('/operator/people', { of: 'operators' });
	const states = people.map(({ email, state }) => [email, state]);
	assert.deepEqual(states.at(1), [OP, 'active']);
	assert.deepEqual(states.at(-1), ['zoe@bursar.example', 'locked']);
});

test('what people, programs and the command line did is a file too, the oldest first, with the filters of the list', async () => {
	const { email, token, browser: person } = await resellerWithPerson('filed');
	await person.change('/sub-users/create', { username: 'bobby' });
	await resellerApi(dashboard.url, token).resetAuthKey({ username: 'bobby' });
	const unattended = { id: 'x', kind: 'lock_person', target: '', requestId: 'cli', systemUser: 'root (ann)' };
	await dashboard.change({ kind: 'lock_person', email, unattended });
	const program = { operatorToken: 'shop ...x4Kd', address: '192.0.2.9' };
	const byProgram = { id: 'y', kind: 'unlock_person', target: email, requestId: 'r', ...program };
	await dashboard.change({ kind: 'unlock_person', email, unattended: byProgram });
	const linesOf = async (query: object) => {
		const file = await operator.download('/operator/acts.csv', { zone: 'UTC', ...query });
		const disposition = file.headers.get('content-disposition') ?? '';
		assert.match(disposition, /^attachment; filename="activity-20\d\d-\d\d-\d\d\.csv"$/);
		const [head, ...lines] = (await file.text()).trim().split('\r\n');
		assert.match(
			head ?? '',
			/number,time \(UTC\),action,what,person,reseller,token,system user,address,operator token,details$/,
		);
		return lines.map((line) => line.split(',').toSpliced(0, 2).join());
	};
	const all = await linesOf({});
	assert.deepEqual(all.slice(-4), [
		`create_sub_user,bobby,${email},filed,,,127.0.0.1,,fee: 0.10 USD`,
		`reset_auth_key,bobby,,filed,${token.slice(-4)},,127.0.0.1,,`,
		'lock_person,,,filed,,root (ann),,,',
		`unlock_person,${email},,filed,,,192.0.2.9,shop ...x4Kd,`,
	]);
	const [newest] = (await operator.read('/operator/acts')).acts;
	assert.deepEqual([newest?.operator_token, newest?.address, newest?.by_operator], ['shop ...x4Kd', '192.0.2.9', true]);
	assert.deepEqual(await linesOf({ email: 'ann@filed', kind: 'create_sub_user' }), all.slice(-4, -3));
	assert.deepEqual(await linesOf({ email: 'nobody' }), []);
});
