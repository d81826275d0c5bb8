import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { callBursar } from '@bursar/testing/bursar-in-process';
import { startTestService } from '@bursar/testing/service';
import { openStore } from '../../src/engine.ts';

test('the operator allows sub-users of a reseller to sign in by address, and ends it', async (t) => {
	const { url, config, openReseller } = await startTestService(t);
	const run = (...args: string[]) => callBursar(config.dataDir, ['reseller', ...args]);
	const json = async (...args: string[]) => {
		const { code, stdout, stderr } = await run(...args, '--json');
		return code === 0 ? JSON.parse(stdout) : { code, error: JSON.parse(stderr).error.code };
	};
	const isAllowed = async () => (await json('list')).resellers[0].sign_in_by_address;
	const { token } = await openReseller('acme', 1_000);
	const api = resellerApi(url, token);
	await api.create({ username: 'alice' });
	const set = () => api.setSignInIps({ username: 'alice', sign_in_ips: ['192.0.2.7'] });
	assert.equal((await set()).errorCode, 'sign_in_by_address_off');
	assert.equal(await isAllowed(), false);

	const allowed = await run('sign-in-by-address', 'ACME');
	assert.match(allowed.stdout, /^username +acme\nsign_in_by_address +true\n$/);
	assert.match(allowed.stderr, /^acme can now set from which addresses/);
	assert.equal(await isAllowed(), true);
	assert.equal((await set()).status, 200);
	assert.deepEqual(await json('sign-in-by-address', 'acme'), { username: 'acme', sign_in_by_address: true });
	assert.deepEqual(await json('sign-in-by-address', 'acme', '--off'), { username: 'acme', sign_in_by_address: false });
	assert.match((await run('sign-in-by-address', 'acme', '--off')).stderr, /^Within seconds, the proxy hosts ask/);
	assert.equal(await isAllowed(), false);
	assert.deepEqual((await api.viewDetails({ username: 'alice' })).data.sign_in_ips, ['192.0.2.7']);
	const holdersOf = async (ip: string) => {
		const { code, stdout } = await callBursar(config.dataDir, ['address', ip, '--json']);
		return code === 0 ? JSON.parse(stdout).accounts : code;
	};
	const held = { username: 'alice', reseller: 'acme', address: '192.0.2.7', sign_in_by_address: false };
	assert.deepEqual(await holdersOf('::ffff:192.0.2.7'), [held]);
	assert.deepEqual([await holdersOf('192.0.2.8'), await holdersOf('127.0.0.1')], [[], 2]);
	await run('sign-in-by-address', 'acme');
	await api.setSignInIps({ username: 'alice', sign_in_ips: ['2001:db8::7', '2001:db8:0:1::/64'] });
	await run('sign-in-by-address', 'acme', '--off');
	const shown = await callBursar(config.dataDir, ['address', '2001:db8::/64']);
	assert.match(shown.stdout, /^USERNAME +RESELLER +ADDRESS +ALLOWED\nalice +acme +2001:db8::7 +no\n$/);
	const inNetwork = { ...held, address: '2001:db8:0:1::/64' };
	assert.deepEqual(await holdersOf('2001:db8:0:1::9'), [inNetwork]);
	assert.deepEqual(await json('sign-in-by-address', 'alice'), { code: 1, error: 'unknown_reseller' });
	assert.equal((await json('sign-in-by-address')).code, 2);

	const store = await openStore(config);
	const { rows } = await store.searchActsAfter({ after: 0, limit: 100 });
	await store.close();
	const acts = rows.filter(({ kind }) => kind === 'allow_sign_in_by_address');
	// What changed nothing was not recorded.
	assert.deepEqual(
		acts.map(({ target, systemUser, details }) => [target, systemUser, JSON.parse(details ?? 'null')]),
		[
			['acme', userInfo().username, { changed: { sign_in_by_address: ['off', 'on'] } }],
			['acme', userInfo().username, { changed: { sign_in_by_address: ['on', 'off'] } }],
			['acme', userInfo().username, { changed: { sign_in_by_address: ['off', 'on'] } }],
			['acme', userInfo().username, { changed: { sign_in_by_address: ['on', 'off'] } }],
		],
	);
});
