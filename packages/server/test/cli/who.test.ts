import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { after, type TestContext, test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { callBursar } from '@bursar/testing/bursar-in-process';
import { testDatabases } from '@bursar/testing/postgres-server';
import { startTestService } from '@bursar/testing/service';

const databases = await testDatabases();
after(() => databases.remove());

const PROGRAM = '198.51.100.7';
const FROM = { headers: { 'x-forwarded-for': PROGRAM } };

/** A service with a reseller that the command line made, and a program that creates, gives and resets. */
async function start(t: TestContext, environment: Readonly<Record<string, string>>) {
	const service = await startTestService(t, { ...environment, BURSAR_TRUSTED_PROXIES: '127.0.0.1' });
	const run = (args: readonly string[], more = {}) =>
		callBursar(service.config.dataDir, args, { environment: { ...environment, ...more } });
	/** A command with `--json` that must succeed. */
	const json = async (...args: string[]) => {
		const { code, stdout, stderr } = await run([...args, '--json']);
		assert.equal(code, 0, stderr);
		return JSON.parse(stdout);
	};
	const { token } = await json('reseller', 'create', 'acme', '--balance', '10.00');
	const api = resellerApi(service.url, token);
	return { ...service, run, json, token: token as string, api };
}

for (const engine of ['SQLite', 'PostgreSQL'] as const) {
	test(`on ${engine}, the operator finds who moved money, by request, reseller and time`, async (t) => {
		const environment =
			engine === 'SQLite'
				? {}
				: {
						BURSAR_DATABASE_URL: await databases.createDatabase(),
						BURSAR_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
					};
		const { api, json, run, token } = await start(t, environment);
		const created = await api.create({ username: 'alice' }, FROM);
		const given = await api.give({ username: 'alice', amount_usd_cents: 50 }, FROM);
		const reset = await api.resetAuthKey({ username: 'alice' }, FROM);
		const idOf = ({ headers }: { headers: Headers }) => headers.get('x-request-id') as string;
		const program = { email: null, token_tail: token.slice(-4), address: PROGRAM, system_user: null };
		const [fee, gift] = [
			{ reseller: 'acme', kind: 'create_fee', username: 'alice', amount_cents: -10, balance_cents: 990, ...program },
			{ reseller: 'acme', kind: 'give', username: 'alice', amount_cents: -50, balance_cents: 940, ...program },
		];

		assert.partialDeepStrictEqual(await json('request', idOf(given)), { movements: [gift], acts: [] });
		const act = { kind: 'reset_auth_key', target: 'alice', reseller: 'acme', ...program };
		assert.partialDeepStrictEqual(await json('request', idOf(reset)), { movements: [], acts: [act] });
		const topUp = { kind: 'top_up', amount_cents: 1000, system_user: userInfo().username, token_tail: null };
		const all = await json('movements');
		assert.partialDeepStrictEqual(all, { movements: [gift, fee, topUp] });
		assert.deepEqual(await json('movements', '--reseller', 'ACME'), all);
		assert.deepEqual((await json('movements', '--limit', '1')).movements, all.movements.slice(0, 1));
		assert.deepEqual((await json('movements', '--request', idOf(created))).movements, all.movements.slice(1, 2));
		assert.deepEqual(await json('movements', '--from', '2026-01-01T00:00:00Z', '--to', '2999-01-01T00:00:00Z'), all);
		assert.deepEqual(await json('movements', '--to', all.movements[2].at), { movements: [] });
		const [{ at }] = all.movements;
		assert.ok((await json('movements', '--from', at)).movements.every((row: { at: string }) => row.at >= at));

		const made = await json('request', all.movements[2].request_id);
		assert.partialDeepStrictEqual(made.acts, [
			{ kind: 'create_reseller', target: 'acme', system_user: userInfo().username, address: null },
		]);
		const table = await run(['movements']);
		assert.match(
			table.stdout,
			new RegExp(`give +alice +-0.50 +9.40 +token \\.\\.\\.${token.slice(-4)} from ${PROGRAM}`),
		);
		assert.match((await run(['request', idOf(reset)])).stdout, /reset_auth_key +alice +acme +token/);

		for (const [args, code, error] of [
			[['request', 'nothing'], 1, 'unknown_request'],
			[['movements', '--reseller', 'nobody'], 1, 'unknown_reseller'],
			[['movements', '--from', 'yesterday'], 2, 'usage'],
			[['movements', '--limit', '0'], 2, 'usage'],
			[['movements', '--limit', '10001'], 2, 'usage'],
			[['movements', '--request', 'x', '--reseller', 'acme'], 2, 'usage'],
		] as const) {
			const refused = await run([...args, '--json']);
			assert.deepEqual([refused.code, JSON.parse(refused.stderr).error.code], [code, error], args.join(' '));
		}
	});
}

test('the user who ran sudo stands beside the system user', async (t) => {
	const { run, json } = await start(t, {});
	const credit = ['reseller', 'credit', 'acme', '0.05', '--reference', 'r1'];
	assert.equal((await run(credit, { SUDO_USER: 'ann' })).code, 0);
	assert.equal((await run([...credit.slice(0, -1), 'r2'], { SUDO_USER: 'two words\n' })).code, 0);
	const { movements } = await json('movements', '--limit', '2');
	const { username } = userInfo();
	assert.deepEqual(
		movements.map((row: { system_user: string }) => row.system_user),
		[username, `${username} (ann)`],
	);
});

test('the newest movements of all resellers are merged by time', async (t) => {
	const { api, json, openReseller, url } = await start(t, {});
	const other = resellerApi(url, (await openReseller('bolt', 1000)).token);
	await api.create({ username: 'alice' });
	await other.create({ username: 'bruno' });
	await api.create({ username: 'chris' });
	const of = async (...args: string[]) =>
		(await json('movements', ...args)).movements.map(({ username }: { username: string | null }) => username);
	assert.deepEqual((await of('--limit', '3')).toSorted(), ['alice', 'bruno', 'chris']);
	assert.deepEqual(await of('--limit', '1'), ['chris']);
	assert.equal((await of()).length, 5);
});
