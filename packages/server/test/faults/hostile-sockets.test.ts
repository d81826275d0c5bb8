import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { endpoints } from '@bursar/contract';
import { resellerApi } from '@bursar/testing/api';
import { assertLedgerInOrder, startServer } from '@bursar/testing/bursar-process';
import { eventually } from '@bursar/testing/eventually';
import { testDatabases } from '@bursar/testing/postgres-server';
import { printedSeed, type Random, randomFrom } from '@bursar/testing/random';
import { openReseller } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { readConfig } from '../../src/config.ts';
import { requestText } from '../support/raw-socket.ts';

const CONNECTIONS = process.env.BURSAR_TEST_FAULTS === 'long' ? 8_000 : 250;
const AT_ONCE = 40;
const MAX_WAIT_MS = 50;

test('no bytes and no way to end a connection stop the process, on SQLite', (t) => attackProcess(t, {}));

test('no bytes and no way to end a connection stop the process, on PostgreSQL', async (t) => {
	const databases = await testDatabases();
	t.after(() => databases.remove());
	await attackProcess(t, {
		BURSAR_DATABASE_URL: await databases.createDatabase(),
		BURSAR_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
	});
});

async function attackProcess(t: TestContext, environment: Readonly<Record<string, string>>): Promise<void> {
	const random = randomFrom(printedSeed(t));
	const dataDir = temporaryFolder(t);
	const { token } = await openReseller(readConfig({ BURSAR_DATA_DIR: dataDir, ...environment }), 'acme', 100_000);
	const server = await startServer(t, dataDir, { environment: { BURSAR_DASHBOARD: '1', ...environment } });
	const api = resellerApi(server.url, token);
	await api.create({ username: 'alice' });
	let ending: unknown;
	void server.ended.then((value) => {
		ending = value;
	});

	const [first, second] = [firstRequests(token), secondRequests(token)];
	let made = 0;
	async function attack(): Promise<void> {
		while (made++ < CONNECTIONS && !ending) {
			const url = made % 4 === 0 ? server.opsUrl : server.url;
			await hostileConnection(url, oneOf(random, first) + oneOf(random, second), random);
		}
	}
	await Promise.all(Array.from({ length: AT_ONCE }, attack));

	assert.equal(ending, undefined, `the process ended: ${JSON.stringify(ending)}`);
	await eventually(async () => assert.equal((await api.myInfo()).status, 200));
	assert.equal((await fetch(`${server.opsUrl}/readyz`)).status, 200);
	const metrics = await (await fetch(`${server.opsUrl}/metrics`)).text();
	assert.doesNotMatch(metrics, /status="500"/, 'a client that misbehaves or disconnects caused a 500');
	const { code, stderr } = await server.kill('SIGTERM');
	assert.deepEqual([code, stderr], [0, '']);
	await assertLedgerInOrder(t, dataDir, { environment });
}

/** Complete requests, whose answers are short, long, streamed or late. */
function firstRequests(token: string): readonly string[] {
	const authorized = [`Authorization: Bearer ${token}`];
	const post = (path: string, body: unknown) => requestText('POST', path, authorized, JSON.stringify(body));
	const username = 'alice';
	return [
		'',
		...['/docs/reference.js', '/openapi.json', '/docs/', '/docs', '/dashboard/', '/metrics', '/readyz', '/%zz'].map(
			(path) => requestText('GET', path),
		),
		requestText('GET', endpoints.myInfo.path),
		requestText('GET', endpoints.myInfo.path, authorized),
		requestText('HEAD', endpoints.myInfo.path, authorized),
		requestText('GET', endpoints.viewAllSubUsers.path, authorized),
		requestText('GET', endpoints.viewAllSubUsers.path, authorized).repeat(20),
		post(endpoints.createSubUser.path, { username }),
		post(endpoints.viewSubUser.path, { username }),
		post(endpoints.viewUsage.path, { username }),
		post(endpoints.giveBalance.path, { username, amount_usd_cents: 1 }).repeat(3),
		post(endpoints.resetAuthKey.path, { username }),
	];
}

/** Bytes after them: complete or broken, HTTP or not. */
function secondRequests(token: string): readonly string[] {
	const create = `POST ${endpoints.createSubUser.path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
	return [
		'',
		'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
		'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\nbytes for the other side',
		'CONNECT x:1 HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab',
		'CONNECT x:1 HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nabcde',
		'CONNECT x:1 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
		'CONNECT x:1 HTTP/1.1\r\n\r\nCONNECT x:1 HTTP/1.1\r\n\r\n',
		'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: eA==\r\n\r\n',
		'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAM\r\n\r\n',
		`${create}Connection: Upgrade\r\nUpgrade: x\r\nContent-Length: 50\r\n\r\n{"username":`,
		'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
		'\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
		`${create}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
		`${create}Transfer-Encoding: chunked\r\n\r\n5\r\n{"use\r\nnot a chunk`,
		`${create}Transfer-Encoding: chunked\r\n\r\n5;${'x'.repeat(20_000)}`,
		`${create}Content-Length: 100\r\n\r\n{"username":"bob`,
		`${create}Content-Length: 999999999\r\n\r\n${'x'.repeat(20_000)}`,
		`${create}Expect: 100-continue\r\nContent-Length: 100\r\n\r\n`,
		`${create}Expect: money\r\nContent-Length: 100\r\n\r\n`,
		`${create}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`,
		`GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
		'GET / HTTP/1.1\r\n\r\n',
		'POST / HTT',
		'\0\0\0\0',
	];
}

/** Connects, writes one or two pieces, reads or not, and ends with FIN or RST. Never rejects. */
async function hostileConnection(url: string, bytes: string, random: Random): Promise<void> {
	const { hostname, port } = new URL(url);
	const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: random.below(2) === 0 });
	socket.on('error', () => {});
	const closed = once(socket, 'close').catch(() => {});
	if (random.below(2) === 0) socket.resume();
	const cut = random.below(bytes.length + 1);
	socket.write(bytes.slice(0, cut), 'latin1');
	if (random.below(2) === 0) await setTimeout(random.below(3));
	socket.write(bytes.slice(cut), 'latin1');
	await setTimeout(random.below(MAX_WAIT_MS));
	if (random.below(3) === 0) {
		socket.end();
		await setTimeout(random.below(MAX_WAIT_MS));
	}
	// While a FIN waits for its turn, Node cannot reset the connection: it would keep the socket, and never end.
	if (socket.writableEnded && !socket.writableFinished) socket.destroy();
	else socket.resetAndDestroy();
	await closed;
}

function oneOf(random: Random, values: readonly string[]): string {
	return values[random.below(values.length)] as string;
}
