import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { hasEnded } from '@bursar/testing/processes';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { startProcess } from '@bursar/testing/test-process';

const BURSAR = join(import.meta.dirname, '../../bin/bursar.js');
/** V8 then prints what it decides about each place in the code that makes objects. */
const TRACE = '--trace-pretenuring-statistics';
const DECISION = /=> (?:maybe )?tenure$/m;

test('a service learns from no object of its start to allocate others in the old generation', async (t) => {
	const keeping = 'const kept = []; for (let i = 0; i < 300_000; i++) kept.push([i]);';
	const control = await startProcess(t, [process.execPath, TRACE, '--eval', keeping]).ended;
	assert.match(control.stdout, DECISION, 'V8 still decides and prints this');

	const environment = { BURSAR_DATA_DIR: temporaryFolder(t), BURSAR_PORT: '0', BURSAR_OPS_PORT: '0' };
	const service = startProcess(t, [process.execPath, TRACE, BURSAR, 'serve'], { environment });
	await eventually(
		async () => assert.ok(service.stdout().includes('"msg":"ready"')),
		30_000,
		() => hasEnded(service.child),
	);
	service.signal('SIGTERM');
	const { code, stdout, stderr } = await service.ended;
	assert.equal(code, 0, stderr);
	assert.doesNotMatch(stdout, DECISION);
});
