import assert from 'node:assert/strict';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { resellerApi } from '@bursar/testing/api';
import { assertLedgerInOrder, runBursar, type ServerProcess, startServer } from '@bursar/testing/bursar-process';
import { eventually } from '@bursar/testing/eventually';
import { mountSmallDisk, type SmallDisk } from '@bursar/testing/small-disk';
import { inStore } from '@bursar/testing/sqlite-books';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { readConfig } from '../../../src/config.ts';
import { openStore } from '../../../src/engine.ts';
import type { Operation } from '../../support/load.ts';
import { type ServedStore, serveStore } from '../../support/served-store.ts';

const isLong = process.env.BURSAR_TEST_FAULTS === 'long';
const MEBIBYTE = 1024 * 1024;
const LOG_FRAME_BYTES = 4096 + 24;
/** The first part of the log's index holds this many frames. Then the index grows. */
const FIRST_INDEX_FRAMES = 4062;
/** A log with this many frames is copied into the database. */
const CHECKPOINT_FRAMES = 8000;

test('on a full disk, writes are refused and undone, reads go on, and free space is enough to recover', async (t) => {
	const disk = mountSmallDisk(t, 16 * MEBIBYTE);
	const served = await serveStore(t, { dataDir: disk.folder });
	let { server } = served;
	for (let pages = 0; pages < (isLong ? 120 : 12); pages += pages < 4 ? 1 : 4) {
		disk.fillBut(pages);
		const load = served.workload.start(server.url);
		while (load.operations.filter(hasFailed).length < 20) await setTimeout(5);
		server = await recover(t, disk, { ...served, server }, await load.stop());
	}
	await assertLedgerInOrder(t, served.dataDir);
});

test('if the disk is full when the log index must grow, the outcome is unknown, and the service stops', async (t) => {
	const disk = mountSmallDisk(t, 40 * MEBIBYTE);
	const served = await serveStore(t, { dataDir: disk.folder });
	const before = await growLog(served, FIRST_INDEX_FRAMES - 12);
	// The commit itself fits, but not the 8 pages of the second part of the index.
	disk.fillBut(FIRST_INDEX_FRAMES - logFrames(served.dataDir) + 6);
	const last = await giveUntilFailure(served);
	assert.equal(codeOf(last.at(-1)), 'outcome_unknown');
	await recover(t, disk, served, [...before, ...last]);
});

test('if the disk is full when the log must be copied into the database, the copy is made once there is space', async (t) => {
	const disk = mountSmallDisk(t, 60 * MEBIBYTE);
	const served = await serveStore(t, { dataDir: disk.folder });
	const { dataDir } = served;
	const databaseBytes = () => statSync(join(dataDir, 'bursar.db')).size;
	const neededBytes = () =>
		inStore(dataDir, (store) => 4096 * (store.pragma('page_count', { simple: true }) as number));

	const before = await growLog(served, CHECKPOINT_FRAMES - 12);
	disk.fillBut(30);
	const last = await giveUntilFailure(served);
	assert.ok(logFrames(dataDir) >= CHECKPOINT_FRAMES, 'the log is too short');
	assert.ok(databaseBytes() < neededBytes(), 'the copy was made on the full disk');
	await recover(t, disk, served, [...before, ...last]);
	assert.equal(databaseBytes(), neededBytes());
});

test('on a full disk the service is not ready and says why, in few lines, and it is ready again by itself', async (t) => {
	const disk = mountSmallDisk(t, 16 * MEBIBYTE);
	const { server, workload } = await serveStore(t, { dataDir: disk.folder });
	disk.fillBut(0);
	const load = workload.start(server.url);
	await eventually(async () => {
		const answer = await fetch(`${server.opsUrl}/readyz`);
		assert.match(`${answer.status} ${await answer.text()}`, /^503 not ready: changes cannot be written: .*full/);
	});
	const failed = (await load.stop()).filter(hasFailed).length;
	const lines = server.stdout().split('\n');
	const ofBatches = lines.filter((line) => line.includes('group commits fail'));
	assert.ok(ofBatches.length < 10, `${ofBatches.length} lines of ${failed} failures`);
	assert.match(ofBatches[0] as string, /disk is full.*stack/);
	disk.clear();
	await eventually(async () => assert.equal((await fetch(`${server.opsUrl}/readyz`)).status, 200));
});

test('on a full disk the ledger can be verified; a backup fails, says so, and leaves no file', async (t) => {
	const disk = mountSmallDisk(t, 4 * MEBIBYTE);
	await serveStore(t, { dataDir: disk.folder });
	const target = join(disk.folder, 'backup.db');
	disk.fillBut(3);
	await assertLedgerInOrder(t, disk.folder);
	const failed = await runBursar(t, disk.folder, ['backup', target]);
	assert.equal(failed.code, 1);
	assert.match(failed.stderr, /full/);
	assert.ok(!existsSync(target));
	disk.clear();
	const again = await runBursar(t, disk.folder, ['backup', target]);
	assert.equal(again.code, 0, again.stderr);
});

test('output that a full disk cuts off is a failure, with or without a secret in it', async (t) => {
	const disk = mountSmallDisk(t, MEBIBYTE);
	const dataDir = temporaryFolder(t);
	const files = ['token', 'list'].map((name) => join(disk.folder, name)) as [string, string];
	for (const file of files) writeFileSync(file, 'x'.repeat(4090));
	disk.fillBut(0);
	const appendTo = (file: string, args: readonly string[]) =>
		runBursar(t, dataDir, [...args, '--json'], { under: ['sh', '-c', `"$@" >> '${file}'`, 'sh'] });
	const created = await appendTo(files[0], ['reseller', 'create', 'acme']);
	const listed = await appendTo(files[1], ['reseller', 'list']);
	for (const [{ code, stderr }, errorCode] of [
		[created, 'token_not_shown'],
		[listed, 'output_failed'],
	] as const) {
		assert.equal(code, 1);
		assert.equal(JSON.parse(stderr).error.code, errorCode);
		assert.match(stderr, /ENOSPC/);
	}
	assert.deepEqual(
		files.map((file) => statSync(file).size),
		[4096, 4096],
		'the disk took no part of the output',
	);
});

/**
 * Checks the state after a failure on a full disk: either nothing was done and reads go on, or the service has
 * stopped. Then frees space, and checks that writes succeed again.
 */
async function recover(
	t: TestContext,
	disk: SmallDisk,
	{ dataDir, workload, effects, server }: ServedStore,
	operations: readonly Operation[],
): Promise<ServerProcess> {
	const codes = [...new Set(operations.filter(hasFailed).map(codeOf))];
	t.diagnostic(`${codes.join(', ')} after ${operations.filter((operation) => !hasFailed(operation)).length} writes`);
	let serving = server;
	if (codes.join() === 'unavailable') {
		const api = resellerApi(server.url, workload.token);
		const views = [await api.myInfo(), await api.viewAll(), await api.viewSingle({ username: workload.usernames[0] })];
		for (const { status } of views) assert.equal(status, 200, 'reads go on');
		disk.clear();
		await eventually(async () => assert.equal((await fetch(`${server.opsUrl}/readyz`)).status, 200));
	} else {
		assert.ok(codes.includes('outcome_unknown'));
		assert.equal((await server.ended).code, 1);
		disk.clear();
		serving = await startServer(t, dataDir);
	}
	const after = await workload.send(serving.url, 'give');
	assert.equal(codeOf(after), null, 'writes do not succeed after space was freed');
	await effects.check([...operations, after]);
	return serving;
}

/** Writes usage reports, then single commands, until the write-ahead log has this many frames. */
async function growLog({ dataDir, workload, server }: ServedStore, frames: number): Promise<readonly Operation[]> {
	const store = await openStore(readConfig({ BURSAR_DATA_DIR: dataDir }));
	for (let batch = 0; logFrames(dataDir) < frames - 300; batch++) {
		const reports = Array.from({ length: 500 }, (_, index) => ({
			source: 'host-1',
			id: `${index}-${batch}`,
			username: workload.usernames[0] as string,
			atMs: Date.now(),
			bytesUp: 1,
			bytesDown: 1,
		}));
		assert.equal((await store.recordUsage(reports, Date.now())).kind, 'committed');
	}
	await store.close();
	const operations: Operation[] = [];
	while (logFrames(dataDir) < frames) operations.push(await workload.send(server.url, 'give'));
	return operations;
}

async function giveUntilFailure({ workload, server }: ServedStore): Promise<readonly Operation[]> {
	const operations: Operation[] = [];
	do operations.push(await workload.send(server.url, 'give'));
	while (!hasFailed(operations.at(-1) as Operation));
	return operations;
}

function logFrames(dataDir: string): number {
	return Math.floor(statSync(join(dataDir, 'bursar.db-wal')).size / LOG_FRAME_BYTES);
}

function hasFailed({ reply }: Operation): boolean {
	return reply.kind !== 'answered' || reply.status >= 500;
}

function codeOf(operation: Operation | undefined): string | null | undefined {
	return operation?.reply.kind === 'answered' ? operation.reply.errorCode : operation?.reply.kind;
}
