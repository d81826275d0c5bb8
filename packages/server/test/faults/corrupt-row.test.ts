import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { assertLedgerInOrder, runBursar, startServer } from '@bursar/testing/bursar-process';
import { inStore } from '@bursar/testing/sqlite-books';
import Database from 'better-sqlite3';
import { serveStore } from '../support/served-store.ts';

/** Writes into a stopped store what the service could never write. */
function plant(dataDir: string, sql: string): void {
	const store = new Database(join(dataDir, 'bursar.db'));
	store.pragma('ignore_check_constraints = 1');
	store.exec(sql);
	store.close();
}

/** Holds the write lock while `send` runs, so that its requests become one batch. */
async function asOneBatch<Result>(dataDir: string, send: () => Promise<Result>): Promise<Result> {
	const store = new Database(join(dataDir, 'bursar.db'));
	store.exec('BEGIN IMMEDIATE');
	const sent = send();
	await new Promise((resolve) => setTimeout(resolve, 500));
	store.exec('ROLLBACK');
	store.close();
	return sent;
}

test('a command that makes the rules throw fails alone: the rest of its batch is done', async (t) => {
	const served = await serveStore(t);
	const { dataDir, workload, effects } = served;
	await served.server.kill('SIGTERM');
	const [corrupt, ...sound] = workload.usernames as [string, ...string[]];
	const balance = inStore(dataDir, (store) =>
		store.prepare('SELECT balance_cents FROM accounts WHERE username = ?').pluck().get(corrupt),
	);
	plant(dataDir, `UPDATE accounts SET balance_cents = -5 WHERE username = '${corrupt}'`);
	const server = await startServer(t, dataDir);

	const operations = await asOneBatch(dataDir, () =>
		Promise.all([
			...sound.map((username) => workload.send(server.url, 'give', username)),
			workload.send(server.url, 'give', corrupt),
			workload.send(server.url, 'take', corrupt),
			workload.send(server.url, 'create'),
		]),
	);
	for (const { username, reply } of operations) {
		assert.ok(reply.kind === 'answered');
		const isCorrupt = username === corrupt;
		assert.deepEqual([reply.status, reply.errorCode], isCorrupt ? [500, 'internal_error'] : [200, null], username);
	}

	const verified = await runBursar(t, dataDir, ['ledger', 'verify', '--json']);
	assert.equal(verified.code, 1);
	const { problems } = JSON.parse(verified.stdout) as { problems: { name: string }[] };
	assert.ok(
		problems.some(({ name }) => name === corrupt),
		'the corrupt account is not named',
	);

	await server.kill('SIGTERM');
	plant(dataDir, `UPDATE accounts SET balance_cents = ${balance} WHERE username = '${corrupt}'`);
	await effects.check(operations);
	await assertLedgerInOrder(t, dataDir);
});
