import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ACT_KINDS } from '@bursar/contract/dashboard';
import { type OperatorOperation, operatorErrors, operatorOperations } from '@bursar/contract/operator';
import { OPERATOR_SCOPES } from '@bursar/contract/scopes';
import { Compile } from 'typebox/compile';

const page = readFileSync(new URL('../../../docs/operator-api.md', import.meta.url), 'utf8');
const operations = Object.values<OperatorOperation>(operatorOperations);
const codesIn = (text: string) => Array.from(text.matchAll(/`([a-z_:]+)`/g), ([, code]) => code);

test('docs/operator-api.md lists exactly the calls, each with its scope, its body, and whether it is a change', () => {
	const rows = Array.from(
		page.matchAll(/^\| `(\/[a-z_/]+)`( ✎)? \| (.+?) \|(.*?)\| .+ \|$/gm),
		([, path, mark, scope = '', body = '']) => {
			return [path, mark !== undefined, codesIn(scope)[0] ?? scope, codesIn(body)] as const;
		},
	);
	assert.deepEqual(
		rows.toSorted(),
		operations
			.map(({ path, isChange, scope, request }) => [path, isChange, scope ?? 'any', Object.keys(request.properties)])
			.toSorted(),
	);
});

test('docs/operator-api.md tells the kind of each change', () => {
	const rows = Array.from(page.matchAll(/^\| `([a-z_]+)` \| `(\/[a-z_/]+)` \|/gm), ([, kind, path]) => ({
		kind,
		path,
	}));
	const changes = operations.filter(({ isChange }) => isChange);
	assert.deepEqual(rows.map(({ path }) => path).toSorted(), changes.map(({ path }) => path).toSorted());
	const kinds: readonly string[] = ACT_KINDS;
	assert.deepEqual(
		rows.filter(({ kind = '' }) => !kinds.includes(kind)),
		[],
	);
});

test('docs/operator-api.md lists exactly the scopes, and the error codes with their status', () => {
	const scopes = Array.from(page.matchAll(/^\| `([a-z]+:[a-z]+)` \| /gm), ([, scope]) => scope);
	assert.deepEqual(scopes, [...OPERATOR_SCOPES]);
	const rows = Array.from(page.matchAll(/^\| (\d{3}) \| `([a-z_]+)` \|/gm), ([, status, code]) => [
		code,
		Number(status),
	]);
	assert.deepEqual(
		Object.fromEntries(rows),
		Object.fromEntries(Object.entries(operatorErrors).map(([code, { status }]) => [code, status])),
	);
	assert.equal(rows.length, Object.keys(operatorErrors).length);
});

test('the examples of each call fit its schemas', () => {
	for (const { path, request, requestExample, data, dataExample } of operations) {
		assert.deepEqual([...Compile(request).Errors(requestExample)], [], path);
		assert.deepEqual([...Compile(data).Errors(dataExample)], [], path);
	}
});
