import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { assertFailure, resellerApi } from '@bursar/testing/api';
import { startServer } from '@bursar/testing/bursar-process';
import { eventually } from '@bursar/testing/eventually';
import { type Fault, injectFault } from '@bursar/testing/strace';
import { timesAllowed } from '../../support/effects.ts';
import { serveStore } from '../../support/served-store.ts';

const isLong = process.env.BURSAR_TEST_FAULTS === 'long';
const eio = { effect: 'error=EIO' } as const;
const flush = ['fsync', 'fdatasync'];

/** Errors after which a restart may or may not find the commit. */
const COMMIT_FAULTS: Readonly<Record<string, Fault>> = {
	'the flush of the log fails once': { ...eio, calls: flush, when: '1', file: 'bursar.db-wal' },
	'the flush of the log fails for good': { ...eio, calls: flush, when: '3+', file: 'bursar.db-wal' },
	'the first write of a commit fails': { ...eio, calls: ['pwrite64'], when: '1', file: 'bursar.db-wal' },
	...(isLong && {
		'a write in the middle of a commit fails': { ...eio, calls: ['pwrite64'], when: '4', file: 'bursar.db-wal' },
		'every flush of everything fails': { ...eio, calls: flush, when: '1+' },
		'the fifth flush of the log fails': { ...eio, calls: flush, when: '5', file: 'bursar.db-wal' },
	}),
};

for (const [title, fault] of Object.entries(COMMIT_FAULTS)) {
	test(`${title}: the outcome is unknown, the service stops, and nothing is done twice`, async (t) => {
		const { dataDir, server, workload, effects } = await serveStore(t);
		await injectFault(t, server.pid, dataDir, fault);
		const load = workload.start(server.url);
		const { code, signal } = await Promise.race([
			server.ended,
			setTimeout(15_000, { code: 'it still runs', signal: null }),
		]);
		assert.deepEqual([code, signal], [1, null], 'the process stops by itself');
		const operations = await load.stop();

		const unknown = operations.filter(
			({ reply }) => reply.kind === 'answered' && reply.errorCode === 'outcome_unknown',
		);
		assert.ok(unknown.length > 0, 'no command got outcome_unknown');
		assert.deepEqual(
			operations.filter(({ reply }) => reply.kind === 'torn'),
			[],
		);
		await startServer(t, dataDir);
		const counts = await effects.check(operations);
		t.diagnostic(JSON.stringify(counts));
	});
}

test('an error while the log is copied into the database at shutdown loses nothing', async (t) => {
	const { dataDir, server, workload, effects } = await serveStore(t);
	const load = workload.start(server.url);
	await setTimeout(200);
	await injectFault(t, server.pid, dataDir, {
		...eio,
		calls: ['fsync', 'fdatasync', 'pwrite64', 'ftruncate'],
		when: '1+',
		file: 'bursar.db',
	});
	const operations = await load.stop();
	assert.equal((await server.kill('SIGTERM')).code, 0);
	assert.ok(statSync(join(dataDir, 'bursar.db-wal')).size > 0, 'the log is kept, because it could not be copied');
	await startServer(t, dataDir);
	assert.ok((await effects.check(operations)).acknowledged > 0);
});

test('a read that fails on the disk is answered 503, and a later one is served', async (t) => {
	const { dataDir, server, workload } = await serveStore(t);
	const api = resellerApi(server.url, workload.token);
	assert.equal((await api.myInfo()).status, 200);
	// The writing connection then has in memory what a give reads.
	assert.equal((await workload.send(server.url, 'give')).reply.kind, 'answered');
	const fault = await injectFault(t, server.pid, dataDir, { ...eio, calls: ['pread64'], when: '1+' });
	// The reading connection must fetch the pages that another connection writes.
	const given = await workload.send(server.url, 'give');
	assert.deepEqual(timesAllowed(given).includes(1), given.reply.kind === 'answered' && given.reply.status === 200);
	const failed = await api.viewAll();
	assert.deepEqual([failed.status, failed.errorCode, failed.headers.has('retry-after')], [503, 'unavailable', true]);
	await fault.remove();
	assert.equal((await api.viewAll()).status, 200);
	assert.equal((await workload.send(server.url, 'give')).reply.kind, 'answered');
});

test('while the disk hangs, every command is answered in time: those that waited are never run, a begun one may be done', async (t) => {
	const { dataDir, server, workload, effects } = await serveStore(t);
	await injectFault(t, server.pid, dataDir, {
		calls: flush,
		effect: 'delay_enter=8000000',
		when: '1',
		file: 'bursar.db-wal',
	});
	const sentAtMs = performance.now();
	const first = workload
		.send(server.url, 'give')
		.then((operation) => ({ operation, tookMs: performance.now() - sentAtMs }));
	await setTimeout(300);
	const waiting = workload.usernames.map((username) => workload.send(server.url, 'give', username));
	const { myInfo } = resellerApi(server.url, workload.token);
	assert.equal((await myInfo()).status, 200, 'reads hang too');
	const readyz = async () => (await fetch(`${server.opsUrl}/readyz`)).text();
	await eventually(async () => assertFailure(await myInfo(), 503, 'unavailable'), 7_000);
	assert.match(await readyz(), /^not ready: a write has not ended/);
	for (const { reply } of await Promise.all(waiting)) {
		assert.equal(reply.kind === 'answered' && reply.errorCode, 'unavailable');
	}
	const { operation, tookMs } = await first;
	assert.ok(tookMs < 6_000, `${tookMs} ms`);
	assert.equal(operation.reply.kind === 'answered' && operation.reply.errorCode, 'outcome_unknown');
	assertFailure(await myInfo(), 503, 'unavailable');
	await eventually(async () => assert.equal((await myInfo()).status, 200), 7_000);
	await eventually(async () => assert.equal(await readyz(), 'ready\n'), 7_000);
	const after = await workload.send(server.url, 'give');
	const counts = await effects.check([operation, ...(await Promise.all(waiting)), after]);
	assert.deepEqual(counts, { acknowledged: 1, refused: waiting.length, unknown: 1, unknownDone: 1 });
});
