import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { runBursar, spawnBursar } from '@bursar/testing/bursar-process';
import { testDatabases } from '@bursar/testing/postgres-server';
import { printedSeed, randomFrom } from '@bursar/testing/random';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { readConfig } from '../../src/config.ts';
import { openStore } from '../../src/engine.ts';
import { createReseller, createSubUser, giveBalance } from '../support/commands.ts';
import { startCommitProxy } from '../support/commit-proxy.ts';
import { allDisconnected, moveRecord, onPostgres, rowsIn } from '../support/copied-store.ts';

const KILLS = process.env.BURSAR_TEST_FAULTS === 'long' ? 60 : 2;
const MANY_ACCOUNTS = 3_000;

const databases = await testDatabases();
after(() => databases.remove());

/** A store with many sub-users. */
async function largeStore(t: TestContext): Promise<string> {
	const dataDir = temporaryFolder(t);
	const store = await openStore(readConfig({ BURSAR_DATA_DIR: dataDir }));
	const usernames = Array.from({ length: MANY_ACCOUNTS }, (_, index) => `user.${index + 1000}`);
	const commands = usernames.flatMap((username) => [createSubUser('acme', username), giveBalance('acme', username, 5)]);
	await store.runCommands([createReseller('acme', 10 ** 9), ...commands], store.nowMs());
	await store.close();
	return dataDir;
}

test('after kill -9 of a copy, never can both stores be served, and the next copy is complete', async (t) => {
	const random = randomFrom(printedSeed(t));
	const dataDir = await largeStore(t);
	const environment = (url: string) => ({ environment: { BURSAR_DATABASE_URL: url } });
	const args = ['store', 'copy', '--from', dataDir];
	const completeUrl = await databases.createDatabase();
	const startedAt = performance.now();
	assert.equal((await runBursar(t, '/nowhere', args, environment(completeUrl))).code, 0);
	const completeMs = performance.now() - startedAt;
	const allRows = await rowsIn(completeUrl);
	assert.equal((await runBursar(t, '/nowhere', ['store', 'reopen', dataDir])).code, 0);

	const states: Record<string, number> = {};
	/** Checks the state after a kill, and that a new copy works from there. */
	async function afterKill(url: string): Promise<string> {
		await allDisconnected(url);
		const rows = (await rowsIn(url)) ?? 0;
		const isMarked = 'moved_at' in moveRecord(dataDir);
		assert.ok(rows === 0 || rows === allRows, `${rows} of ${allRows} rows`);
		assert.ok(rows === 0 || isMarked, 'both the copy and the store can be served');
		if (isMarked) assert.equal((await runBursar(t, '/nowhere', ['store', 'reopen', dataDir])).code, 0);
		if (rows === 0) {
			assert.equal((await runBursar(t, '/nowhere', args, environment(url))).code, 0, 'the copy cannot be run again');
			assert.equal(await rowsIn(url), allRows);
			assert.equal((await runBursar(t, '/nowhere', ['store', 'reopen', dataDir])).code, 0);
		}
		const state = `${rows === 0 ? 'empty' : 'complete'}, ${isMarked ? 'marked' : 'unmarked'}`;
		states[state] = (states[state] ?? 0) + 1;
		return state;
	}

	for (let kill = 0; kill < KILLS; kill++) {
		const url = await databases.createDatabase();
		const copying = spawnBursar(t, '/nowhere', args, environment(url));
		await setTimeout(completeMs * (0.3 + 0.7 * random.next()));
		copying.signal('SIGKILL');
		await copying.ended;
		await afterKill(url);
	}
	// A random kill seldom hits the COMMIT, so these two aim at it.
	for (const [fate, state] of [
		['answer_lost', 'complete, marked'],
		['never_arrives', 'empty, marked'],
	] as const) {
		const url = await databases.createDatabase();
		assert.equal((await runBursar(t, '/nowhere', ['migrate'], { environment: onPostgres(dataDir, url) })).code, 0);
		const proxy = await startCommitProxy(t, url, () => {
			copying.signal('SIGKILL');
			return fate;
		});
		const copying = spawnBursar(t, '/nowhere', args, environment(proxy.url));
		assert.equal((await copying.ended).signal, 'SIGKILL');
		assert.equal(await afterKill(url), state);
	}
	t.diagnostic(`${JSON.stringify(states)}; a copy took ${Math.round(completeMs)} ms`);
});
