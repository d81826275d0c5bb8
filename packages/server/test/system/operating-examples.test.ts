import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startTestService } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { UNITS } from '../support/units.ts';

const run = promisify(execFile);
const EXAMPLES = join(import.meta.dirname, '../../../../docs/examples');
const RULES = join(EXAMPLES, 'alerts.yaml');
const DASHBOARD = join(EXAMPLES, 'grafana-dashboard.json');

test('promtool accepts the alert rules, and finds nothing wrong with the metrics', async (t) => {
	const { stdout } = await run('promtool', ['check', 'rules', '--lint-fatal', RULES]);
	assert.match(stdout, /SUCCESS: \d+ rules found/);
	const { opsUrl } = await startTestService(t);
	const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
	const checking = run('promtool', ['check', 'metrics']);
	checking.child.stdin?.end(metrics);
	assert.deepEqual(await checking, { stdout: '', stderr: '' });
});

test('the alerts are raised when they should be, and not before', async (t) => {
	const cases = join(temporaryFolder(t), 'alerts.test.yaml');
	const text = readFileSync(join(import.meta.dirname, 'alerts.test.yaml'), 'utf8');
	writeFileSync(cases, text.replace('RULES]', `${RULES}]`));
	const { stdout } = await run('promtool', ['test', 'rules', cases]);
	assert.match(stdout, /SUCCESS/);
});

test('promtool understands every query of the Grafana dashboard', async (t) => {
	const { panels } = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as {
		panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
	};
	const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
	assert.ok(queries.length > 20);
	const rules = queries.map((expr, index) => ({
		record: `query_${index}`,
		expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$job', 'bursar').replaceAll('$instance', '.*'),
	}));
	const file = join(temporaryFolder(t), 'queries.yaml');
	// JSON is YAML too.
	writeFileSync(file, JSON.stringify({ groups: [{ name: 'queries', rules }] }));
	await run('promtool', ['check', 'rules', file]);
});

test('systemd rates the exposure of the units below 2, and understands all of their settings', async () => {
	for (const unit of UNITS) {
		await run('systemd-analyze', ['security', '--offline=yes', '--threshold=19', unit]);
		const { stderr } = await run('systemd-analyze', ['verify', unit]).catch((failed: { stderr: string }) => failed);
		assert.doesNotMatch(stderr, /Unknown|Invalid|Failed to parse/i);
	}
});
