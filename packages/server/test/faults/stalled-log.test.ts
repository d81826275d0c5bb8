import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { type ServerProcess, spawnBursar, startServer } from '@bursar/testing/bursar-process';
import { eventually } from '@bursar/testing/eventually';
import { temporaryFolder } from '@bursar/testing/temporary-folder';

const isLong = process.env.BURSAR_TEST_FAULTS === 'long';
/** The requests of a round. Each logs a line of about 200 bytes. */
const REQUESTS = isLong ? 6_000 : 500;
/** The lines of these rounds exceed what the log and the pipe buffer, about 5,600 lines, by more than a round. */
const ROUNDS = isLong ? 4 : 13;
/** The log's buffer, and what both ends of the pipe hold. */
const MAX_BUFFERED_BYTES = 2 * 2 ** 20;

/** Sends requests, each of which logs a line, and reads all answers. */
async function serveMany({ url }: Pick<ServerProcess, 'url'>, requests = REQUESTS): Promise<void> {
	const { hostname, port } = new URL(url);
	const socket = connect(Number(port), hostname);
	const request = `GET /nowhere HTTP/1.1\r\nHost: ${hostname}\r\n`;
	socket.write(`${request}\r\n`.repeat(requests - 1));
	socket.end(`${request}Connection: close\r\n\r\n`);
	let text = '';
	let answers = 0;
	socket.setEncoding('latin1').on('data', (chunk: string) => {
		text += chunk;
		const whole = text.split('HTTP/1.1 404');
		answers += whole.length - 1;
		text = (whole.at(-1) as string).slice(-20);
	});
	await once(socket, 'close');
	assert.equal(answers, requests);
}

async function droppedLines({ opsUrl }: Pick<ServerProcess, 'opsUrl'>): Promise<number> {
	const text = await (await fetch(`${opsUrl}/metrics`)).text();
	return Number(/^bursar_log_lines_dropped_total (\d+)$/m.exec(text)?.[1]);
}

async function start(t: TestContext) {
	return startServer(t, temporaryFolder(t), { environment: { BURSAR_LOG_LEVEL: 'debug' } });
}

test('while the reader of the log is stalled, the service answers, buffers little, and stops on a signal', async (t) => {
	const server = await start(t);
	await serveMany(server, Math.min(REQUESTS, 2_000));
	assert.equal(await droppedLines(server), 0, 'lines were dropped although the reader reads');
	server.child.stdout.pause();
	for (let round = 0; round < ROUNDS; round++) await serveMany(server);
	const dropped = await droppedLines(server);
	assert.ok(dropped > REQUESTS, `${dropped} lines were dropped`);

	let buffered = '';
	server.child.stdout.on('data', (chunk: string) => {
		buffered += chunk;
	});
	server.child.stdout.resume();
	const pattern = /"dropped":(\d+),"msg":"lines of this log were dropped"/;
	await eventually(async () => assert.match(buffered, pattern));
	assert.equal(Number(pattern.exec(buffered)?.[1]), dropped);
	assert.ok(buffered.length < MAX_BUFFERED_BYTES, `${buffered.length} bytes were buffered`);
	t.diagnostic(`${dropped} lines were dropped, and ${buffered.length} bytes were buffered`);

	server.child.stdout.pause();
	// More than the pipe holds. In the short form only the log on standard error, below, is also full at its end.
	for (let round = 0; round < 3; round++) await serveMany(server);
	const startedAtMs = performance.now();
	server.signal('SIGTERM');
	// `ended` settles only after its output has been read.
	await eventually(async () => assert.throws(() => process.kill(server.pid, 0)), 10_000);
	t.diagnostic(`it ended after ${Math.round(performance.now() - startedAtMs)} ms`);
	server.child.stdout.resume();
	assert.equal((await server.ended).code, 0);
});

test('a log whose reader has gone away delays neither the service nor its end', async (t) => {
	const server = await start(t);
	server.child.stdout.destroy();
	await serveMany(server);
	assert.ok((await droppedLines(server)) >= REQUESTS);
	assert.equal((await server.kill('SIGTERM')).code, 0);
});

test('with --json the log goes to standard error, and its reader may stall too', async (t) => {
	const environment = { BURSAR_LOG_LEVEL: 'debug' };
	const bursar = spawnBursar(t, temporaryFolder(t), ['serve', '--json'], { environment });
	await eventually(async () => assert.match(bursar.stdout(), /\n/), 30_000);
	const { url, ops_url } = JSON.parse(bursar.stdout());
	const server = { ...bursar, url, opsUrl: ops_url };
	server.child.stderr.pause();
	for (let round = 0; round < ROUNDS; round++) await serveMany(server);
	assert.ok((await droppedLines(server)) > REQUESTS);
	server.signal('SIGTERM');
	await eventually(async () => assert.throws(() => process.kill(server.pid, 0)), 10_000);
	server.child.stderr.resume();
	assert.equal((await server.ended).code, 0);
});
