import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { startPostgres } from '@bursar/testing/postgres-server';
import { pass, startRelay } from '@bursar/testing/relay';
import { parseDatabaseUrl } from '../../src/store/database-url.ts';
import { openConnections } from '../../src/store/postgres/database/connections.ts';
import { createHosts } from '../../src/store/postgres/database/hosts.ts';

const server = await startPostgres();
after(() => server.remove());

const IS_STANDBY = 'pg_is_in_recovery';

/** A proxy that delays the check whether the server is a primary. */
async function slowProxy(t: TestContext, delayMs: number): Promise<string> {
	const { url } = await startRelay(t, server.url(), ({ client, server, delay }) => {
		const toServer = pass(client, server, async (bytes) => {
			if (bytes.includes(IS_STANDBY)) await delay(delayMs);
			return bytes;
		});
		return Promise.all([toServer, pass(server, client)]);
	});
	return url;
}

const soon = (ms: number) => performance.now() + ms;

test('a connection that becomes ready after its waiter gave up serves the next one', async (t) => {
	const url = await slowProxy(t, 600);
	const connections = openConnections(createHosts(parseDatabaseUrl(url)), { max: 1 });
	for (let round = 0; round < 3; round++) {
		const held = await connections.acquire(soon(5_000));
		const waiting = assert.rejects(connections.acquire(soon(1_150)));
		await setTimeout(600);
		held.destroy();
		await waiting;
	}
	(await connections.acquire(soon(5_000))).release();
	await connections.close();
});

test('a lease that is not returned in time ends, and the next one uses another connection', async (t) => {
	const connections = openConnections(createHosts(parseDatabaseUrl(server.url())), { max: 1 });
	t.after(() => connections.close());
	const late = await connections.acquire(soon(2_000));
	await assert.rejects(late.query('SELECT pg_sleep(30)'));
	const next = await connections.acquire(soon(5_000));
	assert.equal((await next.query('SELECT 1 AS one')).count, 1);
	next.release();
	await assert.rejects(late.query('SELECT 1'));
});

test('when the server is distrusted, its earlier connections are not used any more', async (t) => {
	const connections = openConnections(createHosts(parseDatabaseUrl(server.url())), { max: 2 });
	t.after(() => connections.close());
	const pidOf = async () => {
		const lease = await connections.acquire(soon(5_000));
		const { rows } = await lease.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
		lease.release();
		return rows[0]?.pid;
	};
	const before = await pidOf();
	assert.equal(await pidOf(), before, 'a free connection is used again');
	const lease = await connections.acquire(soon(5_000));
	lease.distrust();
	lease.release();
	assert.notEqual(await pidOf(), before);
});

test('after closing, asking for a connection fails at once', async () => {
	const connections = openConnections(createHosts(parseDatabaseUrl(server.url())), { max: 1 });
	await connections.close();
	await assert.rejects(connections.acquire(soon(60_000)), /the connections are closed/);
});

test('queries that are sent without waiting go out in one packet', async (t) => {
	const packets: Buffer[] = [];
	const { url } = await startRelay(t, server.url(), ({ client, server }) => {
		const toServer = pass(client, server, async (bytes) => {
			packets.push(bytes);
			return bytes;
		});
		return Promise.all([toServer, pass(server, client)]);
	});
	const connections = openConnections(createHosts(parseDatabaseUrl(url)), { max: 1 });
	t.after(() => connections.close());
	const lease = await connections.acquire(soon(10_000));
	for (let round = 0; round < 3; round++) {
		packets.length = 0;
		const replies = await Promise.all([
			lease.query('BEGIN'),
			lease.query('SELECT $1::text AS text', ['first']),
			lease.query('SELECT $1::text AS text', ['x'.repeat(10_000)]),
			lease.query('COMMIT'),
		]);
		assert.deepEqual(
			replies.map(({ tag }) => tag),
			['BEGIN', 'SELECT', 'SELECT', 'COMMIT'],
		);
		assert.equal(packets.length, 1);
	}
	lease.release();
});

/** The URL of the first one, with the second one's host as another host. The user is the same. */
function bothHosts(first: string, second: string): string {
	return first.replace(new URL(first).host, `${new URL(first).host},${new URL(second).host}`);
}

test('a host that turns us away is passed over for the next one', async (t) => {
	const stale = await startPostgres();
	t.after(() => stale.remove());
	const url = await server.createDatabase();
	const name = new URL(url).pathname.slice(1);
	// The stale server has no such database.
	for (const hosts of [bothHosts(url, stale.url()), bothHosts(stale.url(name), url)]) {
		const connections = openConnections(createHosts(parseDatabaseUrl(hosts)), { max: 1 });
		const lease = await connections.acquire(soon(5_000));
		assert.equal((await lease.query<{ name: string }>('SELECT current_database() AS name')).rows[0]?.name, name);
		lease.release();
		await connections.close();
	}
});

test('if no host can be used, the fault names each host with its reason, and nothing secret', async (t) => {
	const url = new URL(server.url('missing'));
	url.password ||= 'planted-password';
	const turnedAway = openConnections(createHosts(parseDatabaseUrl(url.href)), { max: 1 });
	t.after(() => turnedAway.close());
	const startedAtMs = performance.now();
	await assert.rejects(turnedAway.acquire(soon(60_000)), (fault: Error) => {
		assert.ok(fault.message.startsWith(`${url.host}: `), fault.message);
		assert.ok(!fault.message.includes(url.password));
		return true;
	});
	assert.ok(performance.now() - startedAtMs < 30_000, 'to wait does not help');

	const connections = openConnections(createHosts(parseDatabaseUrl(bothHosts(url.href, 'tcp://127.0.0.1:1'))), {
		max: 1,
	});
	t.after(() => connections.close());
	await assert.rejects(connections.acquire(soon(1_000)), (fault: Error) => {
		const [first = '', second = ''] = fault.message.split('; ');
		assert.ok(
			first.startsWith(`${url.host}: `) && second.startsWith('127.0.0.1:1: connect ECONNREFUSED'),
			fault.message,
		);
		return true;
	});
});
