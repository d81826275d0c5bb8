import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { startProcess } from '@bursar/testing/test-process';

const BURSAR = join(import.meta.dirname, '../../bin/bursar.js');
/** V8 then prints a line for each place in the code whose objects it may allocate in the old generation. */
const TRACE = '--trace-pretenuring-statistics';
const DECISION = /=> (?:maybe )?tenure$/m;

test('a service learns from no object of its start to allocate others in the old generation', async (t) => {
	const keeping = 'const kept = []; for (let i = 0; i < 300_000; i++) kept.push([i]);';
	assert.match(spawnSync(process.execPath, [TRACE, '--eval', keeping], { encoding: 'utf8' }).stdout, DECISION);

	const environment = { BURSAR_DATA_DIR: temporaryFolder(t), BURSAR_PORT: '0', BURSAR_OPS_PORT: '0' };
	const service = startProcess(t, [process.execPath, TRACE, BURSAR, 'serve'], { environment });
	const isReady = () => service.stdout().includes('"msg":"ready"');
	while (!isReady() && service.child.exitCode === null) await delay(20);
	service.signal('SIGTERM');
	const { code, stdout } = await service.ended;
	assert.equal(code, 0);
	assert.doesNotMatch(stdout, DECISION);
});
