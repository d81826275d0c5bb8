import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { resellerApi } from '@bursar/testing/api';
import { assertLedgerInOrder, startServer } from '@bursar/testing/bursar-process';
import { eventually } from '@bursar/testing/eventually';
import { freePort } from '@bursar/testing/free-port';
import { openEdge, openReseller, setPrice } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { readConfig } from '../../../server/src/config.ts';
import { costOf } from '../../../server/src/domain/metering.ts';
import { type CountingRelay, startCountingRelay } from '../support/counting-relay.ts';
import { answerTo, openRawClient } from '../support/raw-client.ts';
import { startProxyProcess, usedBy } from '../support/real-service.ts';
import { basic, startEcho, startFountain } from '../support/running-proxy.ts';

const isLong = process.env.BURSAR_TEST_FAULTS === 'long';
const ROUNDS = isLong ? 20 : 3;
const WAIT_MS = 120_000;
/** More often, the traffic takes as much processor time as the processes. */
const PAUSE_MS = isLong ? 5 : 25;
const ASK_EVERY_MS = 150;
/** Sent to the proxy just before it is killed. */
const LAST_BYTES = 1_000;
/** A GB costs 100 US dollars, so a cent pays for 100,000 bytes. */
const PRICE = 100_000_000;
const GIVEN_CENTS = 1_000_000;

test('an edge and its service, of which one is killed', async (t) => {
	const edge = await setUp(t);
	await t.test('kill -9 of the service in a loop: nothing is lost, nothing is counted twice', (t) =>
		killService(t, edge),
	);
	await t.test(
		'kill -9 of the proxy in a loop: only what was not reported is lost, and nothing is counted twice',
		(t) => killProxy(t, edge),
	);
	await t.test('SIGTERM of the proxy loses nothing', (t) => stopProxy(t, edge));
	await t.test(
		'kill -9 of both while a balance runs out again and again: every cent that was given is used, once',
		(t) => runOut(t, edge),
	);
});

async function killService(
	t: TestContext,
	{ restartService, edgeEnvironment, createSubUser, usedSoon, assertPaid }: Edge,
): Promise<void> {
	const credentials = { username: 'alice', password: await createSubUser('alice') };
	const proxy = await startProxyProcess(t, edgeEnvironment);
	const relay = await startCountingRelay(t, proxy.port);
	const traffic = await startTraffic(t, relay, await startEcho(t), credentials);
	for (let round = 0; round < ROUNDS; round++) {
		// At another moment of the interval each time.
		await delay(1_000 + round * 370);
		await restartService();
	}
	await traffic.stop();
	await eventually(async () => assert.deepEqual(await usedSoon('alice'), relay.bytes), WAIT_MS);
	assert.ok(relay.bytes.up > 100_000);
	await assertPaid('alice');
	proxy.signal('SIGTERM');
	assert.equal((await proxy.ended).code, 0);
}

async function killProxy(t: TestContext, edge: Edge): Promise<void> {
	const { edgeEnvironment, createSubUser, used, usedSoon, assertPaid } = edge;
	const credentials = { username: 'bruno', password: await createSubUser('bruno') };
	const port = await freePort();
	const relay = await startCountingRelay(t, port);
	const origin = await startEcho(t);
	for (let round = 0; round < ROUNDS; round++) {
		const proxy = await startProxyProcess(t, edgeEnvironment, { port });
		const [before, passed] = [await used('bruno'), { ...relay.bytes }];
		const traffic = await startTraffic(t, relay, origin, credentials);
		await eventually(async () => assert.ok((await usedSoon('bruno')).up > before.up), WAIT_MS);
		await traffic.pause();
		const reported = {
			up: before.up + relay.bytes.up - passed.up,
			down: before.down + relay.bytes.down - passed.down,
		};
		await eventually(async () => assert.deepEqual(await usedSoon('bruno'), reported), WAIT_MS);
		traffic.send(LAST_BYTES);
		// At another moment of the interval each time.
		await delay((round * 610) % 3_000);
		proxy.signal('SIGKILL');
		await Promise.all([proxy.ended, traffic.closed]);
		const { up, down } = await used('bruno');
		const last = { up: up - reported.up, down: down - reported.down };
		t.diagnostic(`of the last ${LAST_BYTES} bytes counted: ${last.up} up, ${last.down} down`);
		for (const bytes of [last.up, last.down]) assert.ok(bytes >= 0 && bytes <= LAST_BYTES, String(bytes));
	}
	await assertPaid('bruno');
}

async function stopProxy(t: TestContext, { edgeEnvironment, createSubUser, used, usedSoon }: Edge): Promise<void> {
	const credentials = { username: 'clara', password: await createSubUser('clara') };
	const proxy = await startProxyProcess(t, edgeEnvironment);
	const relay = await startCountingRelay(t, proxy.port);
	const traffic = await startTraffic(t, relay, await startEcho(t), credentials);
	await eventually(async () => assert.ok((await usedSoon('clara')).up > 0), WAIT_MS);
	await traffic.stop();
	proxy.signal('SIGTERM');
	const { code, stdout } = await proxy.ended;
	assert.equal(code, 0);
	assert.deepEqual(await used('clara'), relay.bytes);
	for (const secret of [credentials.password, edgeEnvironment.BURSAR_EDGE_KEY]) assert.ok(!stdout.includes(secret));
}

async function runOut(t: TestContext, edge: Edge): Promise<void> {
	const { api, restartService, edgeEnvironment, createSubUser, used, balanceOf, assertInOrder } = edge;
	const credentials = { username: 'diana', password: await createSubUser('diana', 0) };
	const port = await freePort();
	const fountain = await startFountain(t);
	const connect = connectTo(fountain, credentials);
	let proxy = await startProxyProcess(t, edgeEnvironment, { port });
	let givenCents = 0;
	for (let round = 0; round < ROUNDS; round++) {
		// From 4 to 60 MB, which take less or more than a second.
		const amount = 40 + ((round * 187) % 560);
		assert.equal((await api.give({ username: 'diana', amount_usd_cents: amount })).status, 200);
		givenCents += amount;
		const kills = delay((round * 430) % 2_000).then(async () => {
			if (round % 2 === 0) return restartService();
			proxy.signal('SIGKILL');
			await proxy.ended;
			proxy = await startProxyProcess(t, edgeEnvironment, { port });
		});
		await eventually(async () => {
			await answerTo(t, port, connect);
			assert.equal(await balanceOf('diana'), 0);
		}, WAIT_MS);
		await kills;
	}
	proxy.signal('SIGTERM');
	await proxy.ended;
	const { up, down } = await used('diana');
	t.diagnostic(`passed ${up + down} bytes for ${givenCents} cents`);
	assert.ok(costOf(up + down, PRICE).cents >= givenCents);
	await assertInOrder();
}

type Edge = Awaited<ReturnType<typeof setUp>>;

/** A service in its own process with fixed ports, and an edge. */
async function setUp(test: TestContext) {
	const folder = temporaryFolder(test);
	const environment = { BURSAR_PORT: String(await freePort()), BURSAR_EDGE_PORT: String(await freePort()) };
	const config = readConfig({ BURSAR_DATA_DIR: folder });
	const { token } = await openReseller(config, 'acme', 100 * GIVEN_CENTS);
	await setPrice(config, 'acme', PRICE);
	const key = await openEdge(config, 'frankfurt-1');
	const start = () => startServer(test, folder, { environment });
	let server = await start();
	const { url } = server;
	const api = resellerApi(url, token);
	const balanceOf = async (username: string): Promise<number> => (await api.viewSingle({ username })).data.balance;
	const assertInOrder = () => assertLedgerInOrder(test, folder, { environment });
	const used = (username: string) => usedBy(url, token, username);
	return {
		api,
		async restartService(): Promise<void> {
			await server.kill('SIGKILL');
			await delay(500);
			server = await start();
		},
		edgeEnvironment: { BURSAR_EDGE_URL: server.edgeUrl as string, BURSAR_EDGE_KEY: key },
		/** Resolves with the password of a new sub-user. */
		async createSubUser(username: string, amount = GIVEN_CENTS): Promise<string> {
			const { data } = await api.create({ username });
			if (amount > 0) assert.equal((await api.give({ username, amount_usd_cents: amount })).status, 200);
			return data.proxy_authkey;
		},
		balanceOf,
		assertInOrder,
		/** The sub-user has paid for what it used, to the cent. */
		async assertPaid(username: string): Promise<void> {
			const { up, down } = await used(username);
			assert.equal(await balanceOf(username), GIVEN_CENTS - costOf(up + down, PRICE).cents);
			await assertInOrder();
		},
		used,
		/** For a test that asks until a report has come: a proxy reports once a second at most. */
		async usedSoon(username: string) {
			await delay(ASK_EVERY_MS);
			return used(username);
		},
	};
}

interface Credentials {
	readonly username: string;
	readonly password: string;
}

function connectTo(origin: number, { username, password }: Credentials): string {
	return `CONNECT 127.0.0.1:${origin} HTTP/1.1\r\nProxy-Authorization: ${basic(username, password)}\r\n\r\n`;
}

/** A tunnel on which bytes go to and fro until `stop`. */
async function startTraffic(test: TestContext, relay: CountingRelay, origin: number, credentials: Credentials) {
	const client = openRawClient(test, relay.port);
	client.write(connectTo(origin, credentials));
	await client.until('\r\n\r\n');
	const timer = setInterval(() => client.write('x'.repeat(10_000)), PAUSE_MS);
	test.after(() => clearInterval(timer));
	/** Everything that was sent has come back. */
	async function pause(): Promise<void> {
		clearInterval(timer);
		client.write('THE END');
		await client.until('THE END');
	}
	return {
		closed: client.closed.finally(() => clearInterval(timer)),
		pause,
		send: (bytes: number) => client.write('y'.repeat(bytes)),
		async stop(): Promise<void> {
			await pause();
			client.socket.end();
			await client.closed;
		},
	};
}
