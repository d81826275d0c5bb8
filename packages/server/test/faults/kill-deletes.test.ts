import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { allEndpoints, endpoints, type RecordedChange } from '@bursar/contract';
import { assertLedgerInOrder, runBursar, startServer } from '@bursar/testing/bursar-process';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { type Connection, openConnection, type Reply } from '@bursar/testing/wire';

const KILLS = process.env.BURSAR_TEST_FAULTS === 'long' ? 100 : 3;
const WORKERS = 6;
const GIVEN_CENTS = 7;

/** A sub-user that was made, paid and deleted, as far as its worker came. */
interface Life {
	readonly username: string;
	readonly given: Reply | undefined;
	/** The id of the delete, and its reply. */
	readonly id: string;
	readonly deleted: Reply | undefined;
}

test('after kill -9, each delete was done whole or not at all: no cent is lost, and each look tells which', async (t) => {
	const dataDir = temporaryFolder(t);
	const created = await runBursar(t, dataDir, ['reseller', 'create', 'acme', '--balance', '1000000.00', '--json']);
	const { token } = JSON.parse(created.stdout);
	let server = await startServer(t, dataDir);
	let names = 0;
	const found = { deleted: 0, kept: 0, unknown: 0 };

	async function live(url: string, connection: Connection): Promise<Life> {
		const username = `life.${++names}`;
		const id = `delete-${String(names).padStart(12, '0')}`;
		const send = (path: string, body: object, changeId?: string) =>
			connection.send(url, path, { token, body, ...(changeId !== undefined && { changeId }) });
		const made = await send(endpoints.createSubUser.path, { username });
		if (!isDone(made)) return { username, id, given: undefined, deleted: undefined };
		const given = await send(endpoints.giveBalance.path, { username, amount_usd_cents: GIVEN_CENTS });
		if (!isDone(given)) return { username, id, given, deleted: undefined };
		return { username, id, given, deleted: await send(allEndpoints.deleteSubUser.path, { username }, id) };
	}

	for (let kill = 0; kill < KILLS; kill++) {
		const lives: Life[] = [];
		const { url } = server;
		let isOver = false;
		const working = Array.from({ length: WORKERS }, async () => {
			const connection = openConnection();
			while (!isOver) lives.push(await live(url, connection));
			connection.close();
		});
		// At least one delete of each run is answered.
		while (!lives.some(({ deleted }) => deleted && isDone(deleted))) await setTimeout(5);
		await setTimeout(Math.random() * 300);
		assert.equal((await server.kill('SIGKILL')).signal, 'SIGKILL');
		isOver = true;
		await Promise.all(working);

		server = await startServer(t, dataDir);
		const connection = openConnection();
		for (const { username, id, given, deleted } of lives) {
			const told = await look(connection, server.url, token, id);
			const account = await connection.send(server.url, endpoints.viewSubUser.path, { token, body: { username } });
			if (deleted && isDone(deleted)) {
				found.deleted++;
				assert.ok(told, `${username} was deleted, but no look tells it`);
				assert.equal(deleted.kind === 'answered' && deleted.data.amount_usd_cents, GIVEN_CENTS);
			} else if (deleted) found.unknown++;
			if (told) {
				assert.deepEqual([told.kind, told.username, told.amount], ['delete_sub_user', username, GIVEN_CENTS]);
				assert.equal(account.kind === 'answered' && account.errorCode, 'unknown_sub_user');
			} else if (given && isDone(given)) {
				found.kept++;
				assert.equal(account.kind === 'answered' && account.data.balance, GIVEN_CENTS, username);
			}
		}
		connection.close();
		await assertLedgerInOrder(t, dataDir);
	}
	t.diagnostic(JSON.stringify(found));
	assert.ok(found.deleted >= KILLS);
});

function isDone(reply: Reply): boolean {
	return reply.kind === 'answered' && reply.status === 200;
}

async function look(connection: Connection, url: string, token: string, id: string): Promise<RecordedChange | null> {
	const reply = await connection.send(url, allEndpoints.viewChange.path, { token, body: { change_id: id } });
	assert.ok(isDone(reply) && reply.kind === 'answered', JSON.stringify(reply));
	return reply.data;
}
