import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createLogger } from '@bursar/terminal/logger';
import { eventually } from '@bursar/testing/eventually';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { Registry } from 'prom-client';
import { addNumber, addTotal } from '../../src/agent/agent-metrics.ts';
import { openReadingSpool } from '../../src/agent/reading-spool.ts';
import { createLineReader } from '../../src/proxy/workers/line-reader.ts';
import { startSupervisor } from '../../src/proxy/workers/supervisor.ts';
import { createWorkerMetrics } from '../../src/proxy/workers/worker-metrics.ts';
import type { WorkerEnding, WorkerProcess } from '../../src/proxy/workers/worker-process.ts';
import { openWorkerSpools, workerSpool } from '../../src/proxy/workers/worker-spools.ts';

const LOGGER = createLogger('silent');
const LIMIT_MS = 60_000;
const NOBODY: ReadonlySet<string> = new Set();

const reading = (counter: string, bytesUp: number) => ({
	counter,
	username: 'alice',
	bytesUp,
	bytesDown: 0,
	atMs: Date.now(),
	isOurTime: true,
});

/** What a process has left in a folder. */
function leave(folder: string, ...counters: readonly string[]): void {
	mkdirSync(folder, { recursive: true });
	const readings = counters.map((counter) => ({ ...reading(counter, 5), isOurTime: undefined }));
	writeFileSync(join(folder, 'waiting.json'), JSON.stringify(readings));
}

const waitingIn = (folder: string): string[] => {
	const file = join(folder, 'waiting.json');
	if (!existsSync(file)) return [];
	return JSON.parse(readFileSync(file, 'utf8')).map(({ counter }: { counter: string }) => counter);
};

async function openSpools(t: TestContext, folder: string) {
	const spools = await openWorkerSpools(folder, LOGGER);
	t.after(() => spools.close().catch(() => {}));
	return spools;
}

test('a worker gets what workers that are gone have left, and what a version without workers has', async (t) => {
	const folder = temporaryFolder(t);
	leave(folder, 'old');
	leave(workerSpool(folder, 'gone'), 'one', 'two');
	leave(workerSpool(folder, 'live'), 'three');
	leave(workerSpool(folder, 'other'), 'four');
	leave(workerSpool(folder, 'own'), 'five');
	const ofOther = await openReadingSpool(workerSpool(folder, 'other'), LOGGER);
	const spools = await openSpools(t, folder);
	await spools.prepare('own', new Set(['live', 'own']));
	const own = await openReadingSpool(workerSpool(folder, 'own'), LOGGER);
	t.after(() => own.close());
	assert.deepEqual(own.left.map(({ counter }) => counter).sort(), ['five', 'old', 'one', 'two']);
	assert.deepEqual(waitingIn(folder), []);
	assert.ok(!existsSync(workerSpool(folder, 'gone')));
	assert.deepEqual(waitingIn(workerSpool(folder, 'live')), ['three'], 'a worker of this start');
	assert.deepEqual(waitingIn(workerSpool(folder, 'other')), ['four'], 'a process of an earlier start still has it');
	await ofOther.close();
	await spools.prepare('next', new Set(['live', 'own']));
	assert.deepEqual(waitingIn(workerSpool(folder, 'next')), ['four']);
});

test('the folder of a worker that ends is removed, unless something waits in it', async (t) => {
	const folder = temporaryFolder(t);
	const spools = await openSpools(t, folder);
	await Promise.all([spools.prepare('a', NOBODY), spools.prepare('b', new Set(['a']))]);
	leave(workerSpool(folder, 'b'), 'one');
	await Promise.all([spools.ended('a'), spools.ended('b')]);
	assert.deepEqual(readdirSync(folder).sort(), ['in-use', 'worker-b']);
	await Promise.all([spools.ended('a'), spools.prepare('a', new Set(['b']))]);
	assert.ok(existsSync(workerSpool(folder, 'a')), 'a successor has it');
});

test('a second proxy does not get the folder, and a file that cannot be read is put aside', async (t) => {
	const folder = temporaryFolder(t);
	writeFileSync(join(folder, 'waiting.json'), 'broken');
	mkdirSync(workerSpool(folder, 'gone'));
	writeFileSync(join(workerSpool(folder, 'gone'), 'waiting.json'), 'broken too');
	const spools = await openSpools(t, folder);
	await assert.rejects(openWorkerSpools(folder, LOGGER), /another process/);
	await spools.prepare('a', NOBODY);
	assert.deepEqual(waitingIn(workerSpool(folder, 'a')), []);
	assert.equal(readFileSync(join(folder, 'waiting.json.unreadable'), 'utf8'), 'broken');
	assert.deepEqual(readdirSync(workerSpool(folder, 'gone')), ['waiting.json.unreadable']);
});

test('lines come whole, whatever the pieces are, and what has no end is left out', () => {
	const lines: string[] = [];
	const { push } = createLineReader((line) => lines.push(line));
	for (const piece of ['a', 'b\nc', '\n\nd', 'e\n', 'torn']) push(piece);
	assert.deepEqual(lines, ['ab\n', 'c\n', '\n', 'de\n']);
	push('x'.repeat(1 << 20));
	push('rest of a long line\nnext\n');
	assert.deepEqual(lines.slice(4), ['next\n']);
});

interface FakeWorker extends WorkerProcess {
	heardAtMs: number;
	readonly told: string[];
	end(ending?: Partial<WorkerEnding>): void;
}

/** A worker that does what a test says. `counted` is its only counter. */
function fakeWorker(name: string, { fault, counted = 0 }: { fault?: string; counted?: number } = {}): FakeWorker {
	const registry = new Registry();
	addTotal(registry, 'counted_total', 'A total.', () => counted);
	addNumber(registry, 'open', 'A number.', () => 2);
	addNumber(registry, 'lag', 'A number.', () => counted, 'max');
	const ended = Promise.withResolvers<WorkerEnding>();
	const told: string[] = [];
	const end = (ending: Partial<WorkerEnding> = {}) =>
		ended.resolve({ code: 0, signal: null, metrics: undefined, ...ending });
	const ready = fault === undefined ? Promise.resolve('http://127.0.0.1:1') : Promise.reject(new Error(fault));
	ready.catch(() => {});
	return {
		name,
		pid: 1,
		ready,
		ended: ended.promise,
		heardAtMs: 0,
		ask: async (what) => (what === 'metrics' ? await registry.getMetricsAsJSON() : null) as never,
		share() {},
		drain: () => void told.push('drain'),
		stop() {
			told.push('stop');
			end();
		},
		kill() {
			told.push('kill');
			end({ code: null, signal: 'SIGKILL' });
		},
		told,
		end,
	};
}

test('metrics are those of all workers, and what ended ones have counted stays', async () => {
	const own = new Registry();
	addTotal(own, 'counted_total', 'A total.', () => 1);
	let running: readonly FakeWorker[] = [fakeWorker('a', { counted: 10 }), fakeWorker('b', { counted: 20 })];
	const metrics = createWorkerMetrics(own, () => running);
	const values = async () => {
		const text = await metrics.metrics();
		return Object.fromEntries([...text.matchAll(/^(\w+) (\d+)$/gm)].map(([, name, value]) => [name, Number(value)]));
	};
	assert.deepEqual(await values(), { counted_total: 31, open: 4, lag: 20 });
	const [first, second] = running as [FakeWorker, FakeWorker];
	running = [second];
	// It was killed: what it answered last counts.
	metrics.ended(first, { code: null, signal: 'SIGKILL', metrics: undefined });
	assert.deepEqual(await values(), { counted_total: 31, open: 2, lag: 20 });
	running = [];
	metrics.ended(second, { code: 0, signal: null, metrics: await second.ask('metrics') });
	assert.deepEqual(await values(), { counted_total: 31 });
});

test('a worker that ends gets a successor of its name, and a start that fails ends all that were started', async () => {
	const started: FakeWorker[] = [];
	const faults: (string | undefined)[] = [];
	let attempts = 0;
	let isBroken = false;
	const options = {
		count: 2,
		logger: LOGGER,
		drainMs: 1_000,
		async start(name: string) {
			attempts++;
			if (isBroken) throw new Error('no process');
			const fault = faults.shift();
			const worker = fakeWorker(name, fault === undefined ? {} : { fault });
			started.push(worker);
			return worker;
		},
	};
	faults.push(undefined, 'a bad file');
	await assert.rejects(startSupervisor(options), /a bad file/);
	assert.deepEqual(
		started.map(({ told }) => told.some((each) => each !== 'drain')),
		[true, true],
	);
	started.length = 0;
	const supervisor = await startSupervisor(options);
	const [first, second] = started as [FakeWorker, FakeWorker];
	assert.notEqual(first.name, second.name);
	isBroken = true;
	first.end({ code: null, signal: 'SIGKILL' });
	await eventually(async () => assert.equal(attempts, 5), LIMIT_MS);
	isBroken = false;
	await eventually(async () => assert.equal(started.length, 3), LIMIT_MS);
	assert.equal(started[2]?.name, first.name);
	assert.deepEqual(supervisor.stats, { workers: 2, draining: 0, failures: 1 });
	assert.equal(await supervisor.unreadyBecause(), undefined);
	assert.equal(await supervisor.stop(), true);
	assert.deepEqual(supervisor.running(), []);
});

test('bytes that a worker could not keep at the end are told', async () => {
	const supervisor = await startSupervisor({
		count: 1,
		logger: LOGGER,
		drainMs: 1_000,
		async start(name) {
			const worker = fakeWorker(name);
			return { ...worker, stop: () => worker.end({ code: 1 }) };
		},
	});
	assert.equal(await supervisor.stop(), false);
});

test('a worker that says nothing for half a minute is killed, unless this machine is too busy to tell', async (t) => {
	t.mock.timers.enable({ apis: ['setInterval'] });
	const clock = { nowMs: 0 };
	const started: FakeWorker[] = [];
	const supervisor = await startSupervisor({
		count: 2,
		logger: LOGGER,
		drainMs: 1_000,
		nowMs: () => clock.nowMs,
		async start(name: string) {
			const worker = fakeWorker(name);
			started.push(worker);
			return worker;
		},
	});
	const [silent, late] = started as [FakeWorker, FakeWorker];
	const look = (tookMs = 10_000) => {
		clock.nowMs += tookMs;
		// Its answer came some seconds after it was asked.
		late.heardAtMs = clock.nowMs - 3_000;
		t.mock.timers.tick(10_000);
	};
	for (const tookMs of [10_000, 10_000, 12_000, 30_000, 10_000, 10_000]) look(tookMs);
	assert.deepEqual([silent.told, late.told], [[], []], 'two looks in a row that were in time');
	look();
	assert.deepEqual([silent.told, late.told], [['kill'], []]);
	await supervisor.stop();
});
