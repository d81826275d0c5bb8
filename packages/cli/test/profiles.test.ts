import assert from 'node:assert/strict';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { callBursarctl, saidIn } from './support/bursarctl.ts';
import { openShop, shopWith } from './support/shop.ts';

interface Home {
	readonly folder: string;
	/** The folder of the profiles. */
	readonly profiles: string;
	/** Runs it with this standard input, and without `BURSAR_URL` and `BURSAR_TOKEN`. */
	run(
		input: string,
		args: readonly string[],
		environment?: Readonly<Record<string, string>>,
	): ReturnType<typeof callBursarctl>;
}

function openHome(t: TestContext): Home {
	const folder = join(temporaryFolder(t), 'config');
	return {
		folder,
		profiles: join(folder, 'bursarctl', 'profiles'),
		run(input, args, environment = {}) {
			return callBursarctl(args, { XDG_CONFIG_HOME: folder, ...environment }, input);
		},
	};
}

describe('profiles', { concurrency: 2 }, () => {
	test('login keeps address and token so that only this user can read them, and later commands use them', async (t) => {
		const { service, token } = await openShop(t, 1234);
		const { run, profiles, folder } = openHome(t);
		const login = await run(`${token}\n`, ['login', '--url', service.url]);
		assert.deepEqual(
			[login.code, login.stdout, login.stderr],
			[0, `Profile   default\nService   ${service.url}\nUsername  acme\n`, ''],
		);
		assert.deepEqual(readdirSync(profiles), ['default.json']);
		assert.equal(statSync(join(profiles, 'default.json')).mode & 0o777, 0o600);
		assert.equal(statSync(profiles).mode & 0o777, 0o700);
		assert.equal(statSync(folder).mode & 0o077, 0);
		const account = await run('', ['account', '--json']);
		assert.deepEqual([account.code, JSON.parse(account.stdout).balance_usd_cents], [0, 1234]);
		const shown = await run('', ['profiles']);
		assert.equal(shown.stdout, `PROFILE  SERVICE\ndefault  ${service.url}\n`);
		const listed = await run('', ['profiles', '--json']);
		assert.deepEqual(JSON.parse(listed.stdout), [{ profile: 'default', url: service.url }]);
		for (const { stdout, stderr } of [login, account, shown, listed]) {
			assert.ok(!(stdout + stderr).includes(token.slice(4)));
		}
	});

	test('login keeps a token that lacks the scope to tell whose it is', async (t) => {
		const { service, bursarctl } = await openShop(t);
		const expires = new Date(Date.now() + 86_400_000).toISOString();
		const { token } = await bursarctl.json('tokens', 'create', 'reader', '--scope', 'read', '--expires', expires);
		const { run } = openHome(t);
		const login = await run(token, ['login', '--url', service.url, '--json']);
		assert.deepEqual(JSON.parse(login.stdout), { profile: 'default', url: service.url, username: null });
		assert.equal((await run('', ['statement'])).code, 0);
	});

	test('a profile that others can read is refused, and its token is not sent', async (t) => {
		const { service, token } = await openShop(t);
		const { run, profiles } = openHome(t);
		await run(token, ['login', '--url', service.url]);
		const file = join(profiles, 'default.json');
		for (const mode of [0o640, 0o604, 0o620]) {
			chmodSync(file, mode);
			const refused = await run('', ['account', '--json']);
			assert.deepEqual([refused.code, refused.stdout], [2, ''], mode.toString(8));
			assert.equal(saidIn(refused.stderr).error.code, 'open_profile');
			assert.ok(!refused.stderr.includes(token.slice(4)));
		}
		const listed = await run('', ['profiles', '--json']);
		assert.deepEqual([listed.code, listed.stdout], [0, '[]\n']);
		assert.equal(saidIn(listed.stderr).warning.code, 'open_profile');
		assert.equal((await run(token, ['login', '--url', service.url])).code, 0, 'a new login makes a new file');
		assert.equal(statSync(file).mode & 0o777, 0o600);
		writeFileSync(file, '{"url":5}');
		assert.equal(saidIn((await run('', ['account', '--json'])).stderr).error.code, 'invalid_profile');
	});

	test('options and the environment win, and the token of a profile goes to no other service', async (t) => {
		const { service, token } = await openShop(t);
		const other = await openShop(t, 77);
		const { run } = openHome(t);
		assert.equal((await run(token, ['login', '--url', service.url, '--profile', 'main'])).code, 0);
		await run(other.token, ['login', '--url', other.service.url]);
		const environment = other.bursarctl.environment;
		const balance = async (args: readonly string[], more = {}) =>
			JSON.parse((await run('', ['account', '--json', ...args], more)).stdout).balance_usd_cents;
		assert.equal(await balance(['--profile', 'main']), 10_000);
		assert.equal(await balance([]), 77);
		assert.equal(await balance([], { BURSAR_URL: service.url, BURSAR_TOKEN: token }), 10_000);
		for (const [args, more] of [
			[['--url', other.service.url], {}],
			[[], { BURSAR_URL: other.service.url }],
			[[], { BURSAR_TOKEN: token }],
			[['--profile', 'main'], environment],
			[['--profile', 'main', '--url', other.service.url], {}],
			[['--profile', 'none'], {}],
			[['--profile', '../main'], {}],
			[['--profile', 'Main'], {}],
		] as const) {
			const { code, stdout } = await run('', ['account', ...args], more);
			assert.deepEqual([code, stdout], [2, ''], args.join(' '));
		}
	});

	test('login keeps nothing that the service refuses, and no token comes from an argument', async (t) => {
		const { service, token } = await openShop(t);
		const { run, folder } = openHome(t);
		for (const [input, args, code] of [
			['brs_wrong', ['--url', service.url], 3],
			['', ['--url', service.url], 2],
			[`${token} ${token}`, ['--url', service.url], 2],
			[token, [], 2],
			[token, ['--url', 'ftp://host'], 2],
			[token, ['--url', 'http://bursar.example'], 2],
			[token, ['--url', service.url, token], 2],
			[token, ['--url', service.url, '--token', token], 2],
			[token, ['--url', service.url, '--token-file', '/dev/null'], 2],
			['x'.repeat(70_000), ['--url', service.url], 2],
		] as const) {
			const ended = await run(input, ['login', ...args]);
			assert.equal(ended.code, code, `${args.join(' ')}: ${ended.stderr}`);
			assert.ok(!(ended.stdout + ended.stderr).includes(token.slice(4)));
		}
		assert.throws(() => readdirSync(folder), 'nothing was written');
	});

	test('logout removes the profile', async (t) => {
		const { service, token } = await openShop(t);
		const { run, profiles } = openHome(t);
		await run(token, ['login', '--url', service.url]);
		await run(token, ['login', '--url', service.url, '--profile', 'test']);
		assert.equal((await run('', ['logout', '--profile', 'test'])).code, 0);
		assert.deepEqual(readdirSync(profiles), ['default.json']);
		const again = await run('', ['logout', '--profile', 'test', '--json']);
		assert.deepEqual([again.code, saidIn(again.stderr).error.code], [1, 'no_profile']);
		await run('', ['logout']);
		assert.match((await run('', ['account'])).stderr, /BURSAR_URL.*bursarctl login/);
	});

	test('a profile that cannot be written is told, and leaves nothing behind', async (t) => {
		const { service, token } = await openShop(t);
		const { run, folder } = openHome(t);
		writeFileSync(folder, 'a file where the folder should be');
		const ended = await run(token, ['login', '--url', service.url, '--json']);
		assert.deepEqual([ended.code, saidIn(ended.stderr).error.code], [1, 'profile_failed']);
		assert.equal(readFileSync(folder, 'utf8'), 'a file where the folder should be');
	});
});

describe('names for the completion scripts', { concurrency: 2 }, () => {
	test('come from the service, by prefix; if anything fails, there are none, and nothing is asked or said', async (t) => {
		const { service, token, bursarctl } = await shopWith(t, 'alice', 'alina', 'bruno');
		const { run } = openHome(t);
		await run(token, ['login', '--url', service.url, '--profile', 'main']);
		const names = (args: readonly string[], more = {}) => run('', ['complete-names', ...args], more);
		assert.equal((await names(['--profile', 'main', '--', 'AL'])).stdout, 'alice\nalina\n');
		assert.equal((await names(['--', ''], bursarctl.environment)).stdout, 'alice\nalina\nbruno\n');
		for (const [args, more] of [
			[['--', 'al'], {}],
			[['--profile', 'none', '--', 'al'], {}],
			[['--profile', 'main', '--', '$(id)'], {}],
			[['--', 'al'], { BURSAR_URL: service.url, BURSAR_TOKEN: 'brs_wrong' }],
			[['--', 'al'], { BURSAR_URL: 'http://127.0.0.1:1', BURSAR_TOKEN: token }],
			[['--', 'al'], { BURSAR_URL: 'nonsense', BURSAR_TOKEN: token }],
		] as const) {
			const { code, stdout, stderr } = await names(args, more);
			assert.deepEqual([code, stdout, stderr], [0, '', ''], args.join(' '));
		}
	});
});
