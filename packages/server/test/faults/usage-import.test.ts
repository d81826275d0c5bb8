import assert from 'node:assert/strict';
import { closeSync, ftruncateSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { callBursar } from '@bursar/testing/bursar-in-process';
import { spawnBursar } from '@bursar/testing/bursar-process';
import { openReseller } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { readConfig } from '../../src/config.ts';
import { usageReports, usageTotals } from '../support/usage-reports.ts';

const MEMORY_LIMIT_MIB = 400;

async function storeWithAcme(t: TestContext): Promise<string> {
	const dataDir = temporaryFolder(t);
	await openReseller(readConfig({ BURSAR_DATA_DIR: dataDir }), 'acme', 0);
	return dataDir;
}

test('after Ctrl-C in the middle and a second run, each report is counted once', async (t) => {
	const dataDir = await storeWithAcme(t);
	const file = join(temporaryFolder(t), 'reports.ndjson');
	const count = 20_000;
	const reportsOfFile = usageReports(['acme'], count);
	writeFileSync(file, reportsOfFile);
	const importing = spawnBursar(t, dataDir, ['usage', 'import', '-', '--json'], { input: null });
	// More than are counted at once. The rest never comes, so the import cannot end.
	importing.child.stdin.write(reportsOfFile.slice(0, reportsOfFile.length * 0.8));
	while (usageTotals(dataDir).reports === 0) await setTimeout(2);
	importing.signal('SIGINT');
	const { code, signal, stdout } = await importing.ended;
	assert.equal(signal ?? code, 'SIGINT');
	assert.equal(stdout, '');
	const { reports } = usageTotals(dataDir);
	assert.ok(reports < count, 'the import had ended already');
	const again = await callBursar(dataDir, ['usage', 'import', file, '--json']);
	assert.deepEqual(JSON.parse(again.stdout), { counted: count - reports, repeated: reports, refused: 0 });
	assert.equal(usageTotals(dataDir).bytesUp, count);
});

test('a line of 300 MB is refused, and memory stays flat', {
	skip: process.platform !== 'linux' && 'only Linux has /proc',
}, async (t) => {
	const dataDir = await storeWithAcme(t);
	const file = join(temporaryFolder(t), 'huge');
	const descriptor = openSync(file, 'w');
	ftruncateSync(descriptor, 300 * 2 ** 20);
	closeSync(descriptor);
	writeFileSync(file, `\n${usageReports(['acme'], 1)}\n`, { flag: 'a' });
	const importing = spawnBursar(t, dataDir, ['usage', 'import', file, '--json']);
	let peakMib = 0;
	const watch = setInterval(() => {
		peakMib = Math.max(peakMib, residentMib(importing.pid));
	}, 20);
	const { stdout, stderr } = await importing.ended;
	clearInterval(watch);
	assert.deepEqual(JSON.parse(stdout), { counted: 1, repeated: 0, refused: 1 });
	assert.match(stderr, /"line":1,"refused":"invalid_report"/);
	t.diagnostic(`peak ${peakMib} MiB`);
	assert.ok(peakMib < MEMORY_LIMIT_MIB, `${peakMib} MiB`);
});
function residentMib(pid: number): number {
	try {
		return (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4) / 1024;
	} catch {
		return 0;
	}
}
