import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Answer, resellerApi } from '@bursar/testing/api';
import { startTestService } from '@bursar/testing/service';

/** Two resellers that may sign in by address, with a sub-user each. */
async function open(t: TestContext) {
	const service = await startTestService(t);
	const resellers = await Promise.all(
		(['acme', 'other'] as const).map(async (name) => {
			const { token } = await service.openReseller(name, 1_000);
			const api = resellerApi(service.url, token);
			await api.create({ username: `${name}.user` });
			await service.submit({ kind: 'allow_sign_in_by_address', reseller: name, isAllowed: true });
			return api;
		}),
	);
	const [acme, other] = resellers as [ReturnType<typeof resellerApi>, ReturnType<typeof resellerApi>];
	const ALICE = { username: 'acme.user' };
	const shown = async () => (await acme.viewDetails(ALICE)).data.sign_in_ips;
	return { service, acme, other, ALICE, OLGA: { username: 'other.user' }, shown };
}

const codeOf = ({ status, errorCode }: Answer) => [status, errorCode];

test('the addresses of a sub-user are set as a whole, in one form, and shown with its details', async (t) => {
	const { acme, ALICE, shown } = await open(t);
	assert.deepEqual(await shown(), []);
	const sign_in_ips = ['2001:DB8::7', '192.0.2.7', '::ffff:192.0.2.7', '2001:db8:0:7::9/64', '2001:db8:0:7::1'];
	const { data } = await acme.setSignInIps({ username: 'ACME.user', sign_in_ips });
	const wanted = ['192.0.2.7', '2001:db8::7', '2001:db8:0:7::/64'];
	assert.deepEqual(data, { ...ALICE, sign_in_ips: wanted });
	assert.deepEqual(await shown(), wanted);
	assert.deepEqual((await acme.setSignInIps({ ...ALICE, sign_in_ips: wanted })).data, data);
	assert.deepEqual((await acme.setSignInIps({ ...ALICE, sign_in_ips: [] })).data.sign_in_ips, []);
	assert.deepEqual(await shown(), []);
});

test('what is no address of a client, or too much, is refused and changes nothing', async (t) => {
	const { acme, ALICE, shown } = await open(t);
	await acme.setSignInIps({ ...ALICE, sign_in_ips: ['192.0.2.7'] });
	for (const sign_in_ips of [
		...[['127.0.0.1'], ['::1'], ['192.0.2.0/24'], ['2001:db8::/63'], ['fe80::1'], ['nowhere'], ['']],
		['192.0.2.8', '0.0.0.0'],
		Array.from({ length: 17 }, (_, n) => `192.0.2.${n}`),
	]) {
		assert.deepEqual(codeOf(await acme.setSignInIps({ ...ALICE, sign_in_ips })), [400, 'invalid_sign_in_ips']);
	}
	for (const sign_in_ips of [undefined, null, '192.0.2.8', [null], [5], { 0: '192.0.2.8' }]) {
		assert.deepEqual(codeOf(await acme.setSignInIps({ ...ALICE, sign_in_ips })), [400, 'invalid_request']);
	}
	for (const username of ['other.user', 'acme', 'nobody']) {
		assert.deepEqual(codeOf(await acme.setSignInIps({ username, sign_in_ips: [] })), [404, 'unknown_sub_user']);
	}
	assert.deepEqual(await shown(), ['192.0.2.7']);
});

test('an address of another account is refused, and who has it is not told', async (t) => {
	const { acme, other, ALICE, OLGA, shown } = await open(t);
	await other.setSignInIps({ ...OLGA, sign_in_ips: ['192.0.2.7', '2001:db8::/64'] });
	await acme.create({ username: 'bruno' });
	await acme.setSignInIps({ username: 'bruno', sign_in_ips: ['192.0.2.8'] });
	const refused = [];
	for (const ip of ['192.0.2.7', '192.0.2.8', '2001:db8::7', '2001:db8::/64']) {
		const answer = await acme.setSignInIps({ ...ALICE, sign_in_ips: ['192.0.2.9', ip] });
		assert.deepEqual(codeOf(answer), [409, 'address_taken']);
		refused.push(answer.message);
	}
	assert.equal(new Set(refused).size, 1);
	assert.deepEqual(await shown(), []);
	await other.delete(OLGA);
	assert.equal((await acme.setSignInIps({ ...ALICE, sign_in_ips: ['192.0.2.7', '2001:db8::7'] })).status, 200);
});

test('without the permission of the operator, and while the reseller is suspended, no address is added', async (t) => {
	const { service, acme, ALICE, shown } = await open(t);
	await acme.setSignInIps({ ...ALICE, sign_in_ips: ['192.0.2.7', '192.0.2.8'] });
	await service.submit({ kind: 'allow_sign_in_by_address', reseller: 'acme', isAllowed: false });
	const set = (...sign_in_ips: readonly string[]) => acme.setSignInIps({ ...ALICE, sign_in_ips });
	assert.deepEqual(codeOf(await set('192.0.2.7', '192.0.2.9')), [403, 'sign_in_by_address_off']);
	assert.deepEqual(await shown(), ['192.0.2.7', '192.0.2.8']);
	assert.equal((await set('192.0.2.7')).status, 200);
	await service.submit({ kind: 'suspend_reseller', reseller: 'acme' });
	assert.deepEqual(codeOf(await set()), [403, 'suspended']);
	assert.deepEqual(await shown(), ['192.0.2.7']);
});

test('a change with an id is done once, and changes/view tells of it', async (t) => {
	const { acme, ALICE, shown } = await open(t);
	const headers = { 'x-change-id': 'sign-in-change-0001' };
	await acme.setSignInIps({ ...ALICE, sign_in_ips: ['192.0.2.7'] }, { headers });
	await acme.setSignInIps({ ...ALICE, sign_in_ips: [] });
	const repeated = await acme.setSignInIps({ ...ALICE, sign_in_ips: ['192.0.2.7'] }, { headers });
	assert.deepEqual(codeOf(repeated), [409, 'change_repeated']);
	assert.deepEqual(await shown(), []);
	const { data } = await acme.viewChange({ change_id: headers['x-change-id'] });
	assert.deepEqual([data.kind, data.username, data.amount], ['set_sign_in_ips', 'acme.user', null]);
});
