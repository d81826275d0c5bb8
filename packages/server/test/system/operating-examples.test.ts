import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startTestService } from '@bursar/testing/service';
import { UNITS } from '../support/units.ts';

const run = promisify(execFile);
const RULES = join(import.meta.dirname, '../../../../docs/examples/alerts.yaml');

test('promtool accepts the alert rules, and finds nothing wrong with the metrics', async (t) => {
	const { stdout } = await run('promtool', ['check', 'rules', '--lint-fatal', RULES]);
	assert.match(stdout, /SUCCESS: \d+ rules found/);
	const { opsUrl } = await startTestService(t);
	const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
	const checking = run('promtool', ['check', 'metrics']);
	checking.child.stdin?.end(metrics);
	assert.deepEqual(await checking, { stdout: '', stderr: '' });
});

test('systemd rates the exposure of the units below 2, and understands all of their settings', async () => {
	for (const unit of UNITS) {
		await run('systemd-analyze', ['security', '--offline=yes', '--threshold=19', unit]);
		const { stderr } = await run('systemd-analyze', ['verify', unit]).catch((failed: { stderr: string }) => failed);
		assert.doesNotMatch(stderr, /Unknown|Invalid|Failed to parse/i);
	}
});
