import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createLogger } from '@bursar/terminal/logger';
import { eventually } from '@bursar/testing/eventually';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { createCounterReporter } from '../../src/agent/counter-reporter.ts';
import { createEdgeClient } from '../../src/agent/edge-client.ts';
import { openReadingSpool } from '../../src/agent/reading-spool.ts';
import { EDGE_KEY, startFakeService } from '../support/fake-service.ts';

const LOGGER = createLogger('silent');
const TODAY_MS = Date.now();
const DAY_MS = 86_400_000;

const reading = (counter: string, bytesUp: number, atMs = TODAY_MS) => ({
	counter,
	username: 'alice',
	bytesUp,
	bytesDown: 2 * bytesUp,
	atMs,
	isOurTime: true,
});

/** Starts of a reporter, one after another, with one folder and one service. Each counts anew from zero. */
async function setUp(test: TestContext) {
	const folder = temporaryFolder(test);
	const service = await startFakeService(test);
	const start = async () => {
		const client = createEdgeClient({ url: new URL(service.url), key: () => EDGE_KEY, reportTimeoutMs: 1_000 });
		const spool = await openReadingSpool(folder, LOGGER);
		const reporter = createCounterReporter({ client, logger: LOGGER, intervalMs: 20, spool });
		// Also after a failure: a reporter keeps the process running.
		test.after(() => reporter.stop(0));
		const end = async () => {
			const lost = await reporter.stop(0);
			await spool.close();
			client.close();
			return lost;
		};
		return { reporter, end };
	};
	return { folder, file: join(folder, 'waiting.json'), service, start };
}

test('a stop that may take long keeps what waits on disk meanwhile, and can be made shorter', async (t) => {
	const { file, service, start } = await setUp(t);
	const { reporter, end } = await start();
	reporter.set('one', { username: 'alice', bytesUp: 1, bytesDown: 2 });
	await eventually(async () => assert.equal(service.counters.get('one')?.up, 1));
	await service.goAway();
	reporter.set('one', { username: 'alice', bytesUp: 10, bytesDown: 20 });
	const stopped = reporter.stop(3_600_000);
	await eventually(async () => assert.equal(JSON.parse(readFileSync(file, 'utf8'))[0].bytesUp, 10));
	await end();
	assert.equal(await stopped, 0);
	const second = await start();
	second.reporter.set('two', { username: 'alice', bytesUp: 1, bytesDown: 1 });
	const late = second.reporter.stop(3_600_000);
	await service.comeBack();
	assert.equal(await late, 0);
	assert.deepEqual(service.usedBy('alice'), { up: 11, down: 21 });
	assert.ok(!existsSync(file));
});

test('what waits outlives a stop while the service is away, and counts once', async (t) => {
	const { file, service, start } = await setUp(t);
	const first = await start();
	first.reporter.set('one', { username: 'alice', bytesUp: 1, bytesDown: 2 });
	await eventually(async () => assert.equal(service.counters.get('one')?.up, 1));
	await service.goAway();
	first.reporter.set('one', { username: 'alice', bytesUp: 10, bytesDown: 20 });
	first.reporter.set('two', { username: 'bob.b', bytesUp: 5, bytesDown: 5 });
	assert.equal(await first.end(), 0, 'nothing is lost');
	assert.equal(statSync(file).mode & 0o777, 0o600);
	const second = await start();
	second.reporter.set('three', { username: 'alice', bytesUp: 100, bytesDown: 0 });
	assert.equal(await second.end(), 0);
	await service.comeBack();
	const third = await start();
	await eventually(async () => assert.equal(service.counters.size, 3));
	assert.deepEqual(service.usedBy('alice'), { up: 110, down: 20 });
	assert.deepEqual(service.usedBy('bob.b'), { up: 5, down: 5 });
	await eventually(async () => assert.ok(!existsSync(file)));
	assert.equal(third.reporter.stats.kept, 0, 'counters of an earlier start are forgotten');
	assert.equal(await third.end(), 0);
});

test('what has waited for a second is on disk, also if the process is killed', async (t) => {
	const { file, service, start } = await setUp(t);
	await service.goAway();
	const first = await start();
	first.reporter.set('one', { username: 'alice', bytesUp: 10, bytesDown: 20 });
	const onDisk = () => JSON.parse(readFileSync(file, 'utf8'))[0]?.bytesUp;
	await eventually(async () => assert.equal(onDisk(), 10), 30_000);
	first.reporter.set('one', { username: 'alice', bytesUp: 11, bytesDown: 20 });
	await eventually(async () => assert.equal(onDisk(), 11), 30_000);
	await service.comeBack();
	await eventually(async () => assert.ok(!existsSync(file)), 30_000);
	await first.end();
});

test('while the service takes reports, nothing is written', async (t) => {
	const { folder, service, start } = await setUp(t);
	const { reporter, end } = await start();
	for (let bytes = 1; bytes < 50; bytes++) {
		reporter.set('one', { username: 'alice', bytesUp: bytes, bytesDown: bytes });
		await reporter.flush();
		assert.deepEqual(readdirSync(folder), ['in-use']);
	}
	assert.equal(service.counters.get('one')?.up, 49);
	await end();
});

test('each day keeps its own bytes', async (t) => {
	const { folder, service, start } = await setUp(t);
	const spool = await openReadingSpool(folder, LOGGER);
	await spool.write([reading('one', 10, TODAY_MS - DAY_MS), reading('one', 15)]);
	await spool.close();
	const { end } = await start();
	await eventually(async () => assert.equal(service.days.size, 2));
	assert.deepEqual([...service.days.values()], [30, 15]);
	await end();
});

test('the file is the old one or the new one as a whole, and writes come in their order', async (t) => {
	const folder = temporaryFolder(t);
	const spool = await openReadingSpool(folder, LOGGER);
	await Promise.all([1, 2, 3].map((bytes) => spool.write([reading('one', bytes)])));
	writeFileSync(join(folder, 'waiting.json.next'), '[{"torn');
	await spool.close();
	const { left, close } = await openReadingSpool(folder, LOGGER);
	assert.deepEqual(
		left.map(({ bytesUp }) => bytesUp),
		[3],
	);
	await close();
});

test('a folder has one process', async (t) => {
	const folder = temporaryFolder(t);
	const { close } = await openReadingSpool(folder, LOGGER);
	await assert.rejects(openReadingSpool(folder, LOGGER), /another process listens/);
	await close();
	await (await openReadingSpool(folder, LOGGER)).close();
	await assert.rejects(openReadingSpool(join(folder, 'missing'), LOGGER));
});

test('a file that cannot be read is put aside', async (t) => {
	for (const text of [
		'[{"counter":"o',
		'{}',
		'[{"counter":"one"}]',
		'[null]',
		'[{"counter":"one\\n","username":"alice"}]',
	]) {
		const folder = temporaryFolder(t);
		writeFileSync(join(folder, 'waiting.json'), text);
		const { left, close } = await openReadingSpool(folder, LOGGER);
		assert.deepEqual(left, []);
		assert.equal(readFileSync(join(folder, 'waiting.json.unreadable'), 'utf8'), text);
		await close();
	}
});

test('a disk that takes nothing is told as a loss at the stop', async (t) => {
	const { service } = await setUp(t);
	await service.goAway();
	const client = createEdgeClient({ url: new URL(service.url), key: () => EDGE_KEY });
	const spool = { left: [], write: () => Promise.reject(new Error('ENOSPC')) };
	const reporter = createCounterReporter({ client, logger: LOGGER, spool });
	reporter.set('one', { username: 'alice', bytesUp: 10, bytesDown: 20 });
	assert.equal(await reporter.stop(0), 1);
	client.close();
});
