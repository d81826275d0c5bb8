import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { resellerApi } from '@bursar/testing/api';
import { eventually } from '@bursar/testing/eventually';
import { testDatabases } from '@bursar/testing/postgres-server';
import { startRelay } from '@bursar/testing/relay';
import { openReseller } from '@bursar/testing/service';
import { readConfig } from '../../src/config.ts';
import { hashToken, newToken } from '../../src/credentials.ts';
import { TOKEN_CACHE_LIFE_MS } from '../../src/domain/token.ts';
import { openStore } from '../../src/engine.ts';
import { run } from '../store/suite/engine.ts';
import { revokeToken, rotateToken } from '../support/commands.ts';
import { serveDatabase } from '../support/served-database.ts';

const SECONDS_MS = 8_000;
const AN_HOUR_BEHIND = {
	NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, '../support/clock-behind.mjs'))}`,
};

const databases = await testDatabases();
after(() => databases.remove());

async function statusOf(url: string, token: string): Promise<number> {
	return (await resellerApi(url, token).myInfo()).status;
}

test('tokens at several processes', async (t) => {
	const databaseUrl = await databases.createDatabase();
	const relay = await startRelay(t, databaseUrl);
	const served = await serveDatabase(t, databaseUrl, { processes: 2 });
	const behind = await served.startServer(AN_HOUR_BEHIND);
	const cutOff = await served.startServer({ BURSAR_DATABASE_URL: relay.url, BURSAR_LOG_LEVEL: 'info' });
	const config = readConfig(served.environment);
	const urls = [...served.urls, behind.url];
	// A store of its own for the operator, as in another process.
	const store = await openStore(config);
	t.after(() => store.close());

	await t.test('every process refuses a revoked token within seconds, even with a clock an hour behind', async () => {
		const { token: old } = await openReseller(config, 'revoked', 100);
		for (const url of urls) assert.equal(await statusOf(url, old), 200);
		const { token, tokenHash } = newToken();
		await run(store, [revokeToken('revoked', tokenHash)], store.nowMs());
		for (const url of urls) {
			await eventually(async () => assert.equal(await statusOf(url, old), 401), SECONDS_MS);
			assert.equal(await statusOf(url, token), 200);
		}
	});

	await t.test('a process whose clock is an hour behind writes dates and ends an overlap like the others', async () => {
		const { token: old } = await openReseller(config, 'rotated', 100);
		const { status, data } = await resellerApi(behind.url, old).create({ username: 'late.comer' });
		assert.equal(status, 200);
		assert.ok(Math.abs(Date.parse(data.date_created) - Date.now()) < 5_000, data.date_created);
		const { token, tokenHash } = newToken();
		const overlapMs = 2_000;
		await run(store, [rotateToken('rotated', tokenHash, overlapMs)], store.nowMs());
		assert.equal((await store.findToken(hashToken(token)))?.expiresAtMs, null);
		for (const url of urls) {
			assert.equal(await statusOf(url, token), 200);
			await eventually(async () => assert.equal(await statusOf(url, old), 401), overlapMs + SECONDS_MS);
		}
	});

	await t.test('a process without its database accepts no token for longer than the cache life', async () => {
		// The others would only use the processor meanwhile.
		for (const server of [...served.servers, behind]) await server.kill('SIGKILL');
		const { token: old } = await openReseller(config, 'cut.off', 100);
		// The process may notice the new reseller only now. It then forgets all tokens, once.
		await setTimeout(2_500);
		assert.equal(await statusOf(cutOff.url, old), 200);
		relay.cut();
		await run(store, [revokeToken('cut.off', newToken().tokenHash)], store.nowMs());
		// With a cached token, an invalid body is refused as invalid. Without one, the request is unavailable.
		const isAccepted = async () => {
			const { errorCode } = await resellerApi(cutOff.url, old).viewSingle('no JSON');
			assert.ok(errorCode === 'invalid_request' || errorCode === 'unavailable', `${errorCode}`);
			return errorCode === 'invalid_request';
		};
		assert.ok(await isAccepted(), 'the cache has not expired yet');
		await setTimeout(TOKEN_CACHE_LIFE_MS + 500);
		assert.ok(!(await isAccepted()), 'the cache has expired, and the database is unreachable');
	});
});
