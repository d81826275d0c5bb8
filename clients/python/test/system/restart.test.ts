import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { startServer } from '@bursar/testing/bursar-process';
import { eventually } from '@bursar/testing/eventually';
import { freePort } from '@bursar/testing/free-port';
import { openReseller } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { startProcess } from '@bursar/testing/test-process';
import { readConfig } from '../../../../packages/server/src/config.ts';
import { environmentOfPython, programOf, pythonOfTests } from '../support/python.ts';

const OPENING_CENTS = 10_000_000;
/** Of each program, before and after the restart. */
const LEAST_GIFTS = 20;

test('no call of ten threads and of ten tasks of the Python client fails while the service restarts for five seconds', async (t) => {
	const python = await pythonOfTests(t);
	const dataDir = temporaryFolder(t);
	const { token } = await openReseller(readConfig({ BURSAR_DATA_DIR: dataDir }), 'acme', OPENING_CENTS);
	const environment = { BURSAR_PORT: String(await freePort()) };
	const first = await startServer(t, dataDir, { environment });
	const reach = { BURSAR_URL: first.url, BURSAR_TOKEN: token };
	const workers = ['threads', 'tasks'].map((kind) => startWorkers(t, python, kind, reach));
	await Promise.all(workers.map((each) => each.giveMore()));
	await first.kill('SIGTERM');
	await setTimeout(5_000);
	await startServer(t, dataDir, { environment });
	await Promise.all(workers.map((each) => each.giveMore()));
	for (const each of workers) t.diagnostic(`${await each.end()} gifts`);
});

function startWorkers(t: TestContext, python: string, kind: string, reach: Readonly<Record<string, string>>) {
	const program = startProcess(t, programOf(python, 'workers.py', kind), {
		environment: environmentOfPython(reach),
		input: null,
	});
	const gifts = () => program.stdout().split('\n').length - 1;
	const failing = program.ended.then(({ stderr }) => assert.fail(stderr));
	failing.catch(() => {});
	return {
		/** Resolves once there are more gifts. Rejects if a call fails: then the program ends. */
		async giveMore(): Promise<void> {
			const before = gifts();
			await Promise.race([failing, eventually(async () => assert.ok(gifts() >= before + LEAST_GIFTS))]);
		},
		/** Resolves with the number of gifts. */
		async end(): Promise<number> {
			program.child.stdin.end();
			const { code, stderr } = await program.ended;
			assert.deepEqual([stderr, code], ['', 0]);
			return gifts();
		},
	};
}
