import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { testDatabases } from '@bursar/testing/postgres-server';
import { startTestService } from '@bursar/testing/service';
import { readConfig } from '../../src/config.ts';

const DOCS = join(import.meta.dirname, '../../../../docs');
const read = (path: string) => readFileSync(join(DOCS, path), 'utf8');

const databases = await testDatabases();
after(() => databases.remove());

interface Panel {
	readonly type: string;
	readonly title: string;
	readonly targets?: readonly { readonly expr: string }[];
}

/** The names of metrics in expressions: what follows in braces, brackets or quotes is no name. */
function namesIn(expressions: string): ReadonlySet<string> {
	const bare = expressions.replaceAll(/"[^"]*"|\{[^}]*\}|\[[^\]]*\]/g, ' ');
	return new Set(bare.match(/\b(bursar|process|nodejs)_[a-z0-9_]+/g));
}

function dashboardPanels(): readonly Panel[] {
	const { panels } = JSON.parse(read('examples/grafana-dashboard.json')) as { panels: readonly Panel[] };
	return panels.filter(({ type }) => type !== 'row');
}

test('every metric of the alert rules, of the Grafana dashboard and of the guide is one of the service', async (t) => {
	const known = new Set<string>();
	for (const environment of [
		{},
		{ BURSAR_DATABASE_URL: await databases.createDatabase(), BURSAR_MASTER_KEY: randomBytes(32).toString('base64') },
	] as Record<string, string>[]) {
		const { opsUrl } = await startTestService(t, environment);
		const text = await (await fetch(`${opsUrl}/metrics`)).text();
		for (const [, name = '', type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
			known.add(name);
			if (type === 'histogram') for (const part of ['bucket', 'sum', 'count']) known.add(`${name}_${part}`);
		}
	}
	const rules = Array.from(
		read('examples/alerts.yaml').matchAll(/^ {8}expr: ([\s\S]*?)(?=^ {8}\w)/gm),
		([, expr = '']) => expr,
	);
	const queries = dashboardPanels().flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
	const guide = Array.from(read('operating/monitoring.md').matchAll(/`([^`]+)`/g), ([, code = '']) => code);
	for (const [where, expressions, atLeast] of [
		['alerts.yaml', rules, 15],
		['grafana-dashboard.json', queries, 20],
		['monitoring.md', guide, 15],
	] as const) {
		const names = namesIn(expressions.join('\n'));
		assert.ok(names.size >= atLeast, `${where}: ${names.size}`);
		assert.deepEqual([...names.difference(known)], [], where);
	}
	// What operators are not told about could as well not be there.
	const told = namesIn([...guide, ...rules, ...queries].join('\n'));
	const ours = [...known].filter((name) => name.startsWith('bursar_') && !/_(bucket|sum|count)$/.test(name));
	assert.deepEqual(
		ours.filter((name) => !told.has(name) && !told.has(`${name}_bucket`)),
		[],
	);
});

test('every alert and every panel says what it means, under a name of its own', () => {
	const text = read('examples/alerts.yaml');
	const alerts = text.match(/^ {6}- alert: Bursar\w+$/gm) ?? [];
	assert.ok(alerts.length > 15);
	assert.equal(new Set(alerts).size, alerts.length);
	for (const part of [/^ {8}expr: /gm, /^ {8}labels: \{ severity: (page|ticket) \}$/gm, /^ {10}summary: "/gm]) {
		assert.equal(text.match(part)?.length, alerts.length, String(part));
	}
	const panels = dashboardPanels();
	assert.equal(new Set(panels.map(({ title }) => title)).size, panels.length);
	assert.ok(
		panels.every(({ targets = [] }) => targets.length > 0 && targets.every(({ expr }) => expr.includes('$job'))),
	);
});

test('every setting stands in the environment file and in the guide, and neither has another one', () => {
	const readers = ['config.ts', 'settings-reader.ts', 'payments/settings.ts'].map((file) =>
		readFileSync(join(import.meta.dirname, '../../src', file), 'utf8'),
	);
	const found = readers.join('').matchAll(/\bread(Secret)?(?:<\w+>)?\('(BURSAR_\w+)'/g);
	const names = Array.from(found, ([, isSecret, name]) => (isSecret ? [name, `${name}_FILE`] : [name]));
	const settings = [...new Set(names.flat())].sort();
	assert.ok(settings.length >= 18);
	const inFile = Array.from(read('examples/bursar.env').matchAll(/^#?(BURSAR_\w+)=/gm), ([, name]) => name);
	assert.deepEqual(inFile.sort(), settings);
	const inGuide = Array.from(read('operating/settings.md').matchAll(/^\| `(BURSAR_\w+)` \|/gm), ([, name]) => name);
	assert.deepEqual(inGuide.sort(), settings);
});

test('the environment file sets nothing, explains each setting above it, and its examples are valid', () => {
	const lines = read('examples/bursar.env').split('\n');
	const examples: Record<string, string> = {};
	for (const [index, line] of lines.entries()) {
		assert.match(line, /^(#.*)?$/);
		const [, name, value = ''] = /^#(BURSAR_\w+)=(.*)$/.exec(line) ?? [];
		if (name === undefined) continue;
		assert.match(lines[index - 1] ?? '', /^# \S.*\.$|^#BURSAR_/, line);
		examples[name] = value;
	}
	// Of a secret and its file, only one may be set.
	const inlines = Object.entries(examples).filter(([name]) => !name.endsWith('_FILE'));
	const master = { BURSAR_MASTER_KEY: randomBytes(32).toString('base64') };
	const config = readConfig({ ...Object.fromEntries(inlines), ...master });
	assert.equal(config.publicUrl, 'https://bursar.example');
});
