import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { runBursar } from '@bursar/testing/bursar-process';
import { inDatabase } from '@bursar/testing/postgres-books';
import { testDatabases } from '@bursar/testing/postgres-server';
import { temporaryFolder } from '@bursar/testing/temporary-folder';

const PROCESSES = 4;
const ROUNDS = 2;

interface Noted {
	readonly ended_at_ms: unknown;
	/** `null` if another run has ended it. */
	readonly result: string | null;
}

const databases = await testDatabases();
after(() => databases.remove());

test('processes that verify the ledger at once all succeed, and no run that is noted ends another one', async (t) => {
	const url = await databases.createDatabase();
	const folder = temporaryFolder(t);
	const environment = { BURSAR_DATABASE_URL: url, BURSAR_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') };
	const bursar = async (...args: string[]) => {
		const { code, stdout, stderr } = await runBursar(t, folder, [...args, '--json'], { environment });
		assert.equal(code, 0, stderr);
		return JSON.parse(stdout);
	};
	await bursar('reseller', 'create', 'acme', '--balance', '5.00');
	let noted = 0;
	for (let round = 0; round < ROUNDS; round++) {
		const runs = await Promise.all(Array.from({ length: PROCESSES }, () => bursar('ledger', 'verify')));
		for (const { noted: isStored, ...result } of runs) {
			assert.deepEqual(result, { ok: true, accounts: 1, transfers: 1, problems: [] });
			if (isStored) noted++;
		}
		assert.ok(noted > round, 'one run of each round is noted');
	}
	const rows = await inDatabase(url, async (database) => {
		return (await database.query<Noted>('SELECT ended_at_ms, result FROM bursar.verifications')).rows;
	});
	assert.equal(rows.length, noted);
	for (const { ended_at_ms, result } of rows) {
		assert.notEqual(ended_at_ms, null);
		assert.equal(JSON.parse(result ?? '').accounts, 1);
	}
});
