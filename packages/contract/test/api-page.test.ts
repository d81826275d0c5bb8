import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { allEndpoints, COMMON_FAILURES, errors } from '@bursar/contract';
import { ONE_TOKEN } from '@bursar/contract/routes';
import { RESELLER_SCOPES } from '@bursar/contract/scopes';

const page = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8');
const ALL = Object.values(allEndpoints);

test('docs/api.md 1.2 lists exactly the endpoints of the service', () => {
	const rows = Array.from(page.matchAll(/^\| (GET|POST) \| `([^`]+)`/gm), ([, method, path]) => `${method} ${path}`);
	assert.deepEqual(rows.sort(), ALL.map(({ method, path }) => `${method} ${path}`).sort());
});

test('docs/api.md 4.2 lists exactly the error codes of the service, each with its status', () => {
	const rows = Array.from(page.matchAll(/^\| (\d{3}) \| `([a-z_]+)` \|/gm), ([, status, code]) => [
		code,
		Number(status),
	]);
	assert.equal(rows.length, Object.keys(errors).length);
	assert.deepEqual(
		Object.fromEntries(rows),
		Object.fromEntries(Object.entries(errors).map(([code, { status }]) => [code, status])),
	);
	assert.ok(page.includes(`\`${errors.username_taken.message}\``));
});

test('docs/api.md 4.8 lists the failures of each endpoint', () => {
	const section = page.split('### 4.8 ')[1]?.split('\n## ')[0] ?? assert.fail('there is no such section');
	const codesIn = (text: string) => Array.from(text.matchAll(/`([a-z_]+)`/g), ([, code]) => code as string);
	const [common = '', table = ''] = section.split('Beyond these:');
	assert.deepEqual(codesIn(common).sort(), COMMON_FAILURES.toSorted());
	const rows = Array.from(table.matchAll(/^\| (`.+?) \| (.+) \|$/gm), ([, names = '', codes = '']) => {
		return Array.from(names.matchAll(/`([a-z_/]+)`/g), ([, name]) => [name, codesIn(codes).sort()]);
	});
	assert.deepEqual(
		Object.fromEntries(rows.flat()),
		Object.fromEntries(
			ALL.map(({ path, failures }) => {
				const [group, name] = path.split('/').slice(-2);
				const isShared = name === 'view_page' || /^(?:webhooks|tokens|top_ups)$/.test(group ?? '');
				return [isShared ? `${group}/${name}` : name, failures.toSorted()];
			}),
		),
	);
});

test('docs/api.md 5.6 lists the endpoints of each scope', () => {
	const section = page.split('### 5.6 ')[1]?.split('\n## ')[0] ?? assert.fail('there is no such section');
	const rows = Array.from(section.matchAll(/^\| `([a-z_]+)` \| (`.+`) \|$/gm), ([, scope = '', names = '']) => {
		return [scope, Array.from(names.matchAll(/`([a-z_/]+)`/g), ([, name]) => `/reseller/${name}`).sort()];
	});
	assert.deepEqual(
		Object.fromEntries(rows),
		Object.fromEntries(
			RESELLER_SCOPES.map((scope) => {
				const scoped = ALL.filter(({ scopes }) => scopes !== ONE_TOKEN && scopes.some((needed) => needed === scope));
				return [scope, scoped.map(({ path }) => path).sort()];
			}),
		),
	);
});

test('docs/api.md and OpenAPI show the same request and answer for each endpoint', () => {
	const sections = page.split(/^##+ /m);
	for (const { method, path, requestExample, dataExample } of ALL) {
		const section = sections.find((text) => text.includes(`$BASE_URL${path}\n`)) ?? assert.fail(`${method} ${path}`);
		const body = /-d '([^']+)'/.exec(section)?.[1];
		assert.deepEqual(body === undefined ? undefined : JSON.parse(body), requestExample, path);
		const answer = JSON.parse(/```json\n(.+?)```/s.exec(section)?.[1] ?? assert.fail(path));
		assert.deepEqual(answer, { status: 200, message: '', timestamp: 1795253400, data: dataExample }, path);
	}
});
