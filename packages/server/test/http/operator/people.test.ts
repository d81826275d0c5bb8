import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFailure } from '@bursar/testing/api';
import { startOperatorService, withChangeId } from '../../support/operator-service.ts';

const PUBLIC_URL = 'https://bursar.example';

test('a person is invited once for each change id, and the link is told only in the first answer', async (t) => {
	const { operator, openReseller, openProgram } = await startOperatorService(t, { BURSAR_PUBLIC_URL: PUBLIC_URL });
	await openReseller('acme', 0);
	const ann = { reseller: 'acme', email: 'Ann@acme.example', role: 'owner' };
	const { link, expires_at, ...invited } = (await operator('invitePerson', ann, withChangeId('invite'))).data;
	assert.deepEqual(invited, { reseller: 'acme', email: 'ann@acme.example', mailed: false });
	assert.match(link, /^https:\/\/bursar\.example\/dashboard\/invitation#[\w-]{43}$/);
	assert.ok(Date.parse(expires_at) > Date.now());

	const other = await openProgram('other');
	const bob = { ...ann, email: 'bob@acme.example' };
	for (const body of [ann, bob]) {
		const repeated = await other('invitePerson', body, withChangeId('invite'));
		assertFailure(repeated, 409, 'change_repeated');
		assert.doesNotMatch(repeated.text, /#/);
	}
	const list = async () => (await operator('viewPeople', { reseller: 'acme' })).data;
	const listed = { state: 'invited', second_factor: false, last_seen: null };
	assert.deepEqual(await list(), [{ email: 'ann@acme.example', role: 'owner', ...listed }]);
	const { kind, target, reseller } = (await other('viewChange', { change_id: 'invite'.padEnd(16, '0') })).data;
	assert.deepEqual([kind, target, reseller], ['invite_person', 'ann@acme.example owner', 'acme']);

	const again = await operator('invitePerson', { ...ann, role: 'viewer' }, withChangeId('again'));
	assert.notEqual(again.data.link, link);
	assert.deepEqual(await list(), [{ email: 'ann@acme.example', role: 'viewer', ...listed }]);
	assertFailure(await operator('invitePerson', { ...ann, reseller: 'nobody' }), 404, 'unknown_reseller');
	for (const wrong of [{ email: 'ann' }, { email: 'a b@c' }, { role: 'king' }, { role: null }, { reseller: null }]) {
		assertFailure(await operator('invitePerson', { ...ann, ...wrong }), 400, 'invalid_request', JSON.stringify(wrong));
	}
});

test('people of resellers are locked, unlocked and removed; operators are like people who do not exist', async (t) => {
	const { operator, openReseller, changePerson } = await startOperatorService(t);
	await openReseller('acme', 0);
	const email = 'ann@acme.example';
	await operator('invitePerson', { reseller: 'acme', email, role: 'owner' });
	const stateOf = async () => (await operator('viewPeople', { reseller: 'acme' })).data[0]?.state;
	assert.deepEqual((await operator('lockPerson', { email: 'ANN@acme.example' })).data, { email });
	assert.equal(await stateOf(), 'locked');
	await operator('unlockPerson', { email });
	assert.equal(await stateOf(), 'invited');
	await operator('removePerson', { email });
	assert.equal(await stateOf(), undefined);
	assertFailure(await operator('viewPeople', { reseller: 'nobody' }), 404, 'unknown_reseller');

	const olga = 'olga@bursar.example';
	const invitation = { id: 'olga', email: olga, reseller: null, role: null, linkHash: 'x', purpose: 'set_password' };
	assert.ok((await changePerson({ kind: 'invite_person', ...invitation } as never)).ok);
	for (const name of ['lockPerson', 'unlockPerson', 'removePerson'] as const) {
		for (const nobody of [olga, email, 'no address']) {
			assertFailure(await operator(name, { email: nobody }), 404, 'unknown_person', `${name} ${nobody}`);
		}
	}
	assertFailure(await operator('invitePerson', { reseller: 'acme', email: olga, role: 'owner' }), 409, 'email_taken');
});
