import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { endpoints } from '@bursar/contract';
import { resellerApi } from '@bursar/testing/api';
import { callBursar } from '@bursar/testing/bursar-in-process';
import { assertLedgerInOrder, startServer } from '@bursar/testing/bursar-process';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { rawConnection, requestText } from '../support/raw-socket.ts';
import { serveStore } from '../support/served-store.ts';

const ROUNDS = process.env.BURSAR_TEST_FAULTS === 'long' ? 40 : 2;
const CONNECTIONS = 32;

test('a service goes on when its terminal is closed, also without nohup', async (t) => {
	const server = await startServer(t, temporaryFolder(t));
	server.signal('SIGHUP');
	assert.equal((await fetch(`${server.opsUrl}/readyz`)).status, 200);
	const { code, signal } = await server.kill('SIGTERM');
	assert.deepEqual([code, signal], [0, null]);
});

test('on SIGTERM under load, each request gets a whole answer or is not accepted, and the process ends cleanly', async (t) => {
	const served = await serveStore(t, { connections: CONNECTIONS });
	const { dataDir, workload, effects, random } = served;
	let { server } = served;
	for (let round = 0; round < ROUNDS; round++) {
		const load = workload.start(server.url);
		// Waits until every connection is accepted. The system would refuse the others, not the server.
		while (new Set(load.operations.map(({ connection }) => connection)).size < CONNECTIONS) await setTimeout(5);
		await setTimeout(random.below(300));
		const startedAtMs = performance.now();
		const { code, signal } = await server.kill(round % 2 === 0 ? 'SIGTERM' : 'SIGINT');
		const tookMs = performance.now() - startedAtMs;
		const operations = await load.stop();

		assert.deepEqual([code, signal], [0, null]);
		assert.ok(tookMs < 10_000, `it took ${tookMs} ms`);
		const kinds = Map.groupBy(operations, ({ reply }) =>
			reply.kind === 'answered' ? String(reply.errorCode ?? reply.status) : reply.kind,
		);
		t.diagnostic(
			`${Math.round(tookMs)} ms: ${Array.from(kinds, ([kind, { length }]) => `${kind} ${length}`).join(', ')}`,
		);
		for (const kind of kinds.keys()) {
			assert.match(kind, /^(200|username_taken|unavailable|refused)$/, 'a request got no whole answer');
		}
		assert.ok(!existsSync(join(dataDir, 'bursar.db-wal')), 'the write-ahead log still exists');
		await effects.check(operations);
		server = await startServer(t, dataDir);
	}
	await assertLedgerInOrder(t, dataDir);
});

test('serve ends within ten seconds, even if a client never finishes its request', async (t) => {
	const { server, token } = await serve(t);
	const halfOps = await rawConnection(t, server.opsUrl);
	halfOps.write('GET /livez HTTP/1.1\r\n');
	const half = await rawConnection(t, server.url);
	half.write(
		requestText('POST', endpoints.createSubUser.path, [`Authorization: Bearer ${token}`], '{"username":"half"}').slice(
			0,
			-2,
		),
	);
	await resellerApi(server.url, token).myInfo();
	const startedAtMs = performance.now();
	const { code } = await server.kill('SIGTERM');
	assert.equal(code, 0);
	assert.ok(performance.now() - startedAtMs < 10_000);
});

test('on SIGTERM, each request on busy, slow and new connections is answered or refused', async (t) => {
	const { server } = await serve(t);
	const port = Number(new URL(server.url).port);
	const counts = { answered: 0, refused: 0, cut: 0, notAccepted: 0 };
	let stopped = false;

	/**
	 * Sends requests with pauses of up to `pauseMs`, until the service or the test closes the connection. `orElse`: what a
	 * connection counts as that ends without an answer.
	 */
	async function converse(pauseMs: number, requests: number, orElse: 'cut' | 'notAccepted' = 'cut'): Promise<void> {
		const socket = connect(port, '127.0.0.1').setEncoding('latin1');
		let text = '';
		const answered = new EventEmitter();
		socket.on('data', (chunk) => {
			text += chunk;
			if (text.endsWith('}')) answered.emit('answer');
		});
		socket.on('error', () => {}).on('close', () => answered.emit('answer'));
		const isOpen = await new Promise<boolean>((resolve) => {
			socket.once('connect', () => resolve(true)).once('close', () => resolve(false));
		});
		for (let sent = 0; isOpen && sent < requests && !stopped && !socket.destroyed; sent++) {
			await setTimeout(pauseMs * Math.random());
			if (socket.destroyed) break;
			if (text === '') {
				socket.write(requestText('GET', '/nothing'));
				await once(answered, 'answer');
			}
			const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
			counts[status === '404' ? 'answered' : status === '503' ? 'refused' : orElse]++;
			if (status !== '404') break;
			text = '';
		}
		socket.destroy();
	}

	const slow = Array.from({ length: 300 }, () => converse(2_000, 1_000));
	const busy = Array.from({ length: 20 }, () => converse(20, 1_000));
	const fresh: Promise<void>[] = [];
	// The system resets a connection that arrives while the listener closes: the service has never seen it. It takes
	// microseconds, or as long as a busy machine pauses the process in this moment.
	const timer = setInterval(() => fresh.push(converse(0, 1, 'notAccepted')), 5);
	t.after(() => clearInterval(timer));
	await setTimeout(2_000);
	await server.kill('SIGTERM');
	stopped = true;
	clearInterval(timer);
	await Promise.all([...slow, ...busy, ...fresh]);
	t.diagnostic(JSON.stringify(counts));
	assert.equal(counts.cut, 0);
	assert.ok(counts.notAccepted < 20);
	assert.ok(counts.answered > 100 && counts.refused > 20);
});

async function serve(t: TestContext) {
	const dataDir = temporaryFolder(t);
	const { stdout } = await callBursar(dataDir, ['reseller', 'create', 'acme', '--balance', '10.00', '--json']);
	return { server: await startServer(t, dataDir), token: JSON.parse(stdout).token as string };
}
