import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allEndpoints, COMMON_FAILURES, type ErrorCode, errors, openApiDocument } from '@bursar/contract';
import { isWellFormedToken } from '@bursar/contract/secret-text';
import type { CreatedToken } from '@bursar/contract/token-schemas';

// biome-ignore lint/suspicious/noExplicitAny: the tests read the document as a client would
const document: any = JSON.parse(JSON.stringify(openApiDocument('1.2.3')));

/** The target of a reference; any other value stays as it is. */
// biome-ignore lint/suspicious/noExplicitAny: see above
function resolved(value: any): any {
	if (value?.$ref === undefined) return value;
	const keys: string[] = value.$ref.replace(/^#\//, '').split('/');
	// biome-ignore lint/suspicious/noExplicitAny: see above
	return keys.reduce((inside: any, key) => inside?.[key], document) ?? assert.fail(`${value.$ref} points nowhere`);
}

function forEveryReference(value: unknown, visit: (reference: string) => void): void {
	if (typeof value !== 'object' || value === null) return;
	if ('$ref' in value) visit(value.$ref as string);
	for (const inside of Object.values(value)) forEveryReference(inside, visit);
}

test('the document is always the same, and carries the version of the software', () => {
	assert.equal(document.openapi, '3.1.0');
	assert.equal(document.info.version, '1.2.3');
	assert.deepEqual(JSON.parse(JSON.stringify(openApiDocument('1.2.3'))), document);
});

test('every endpoint is in the document, asks for the bearer token, and shows a request and a success', () => {
	assert.deepEqual(document.security, [{ resellerToken: [] }]);
	assert.equal(document.components.securitySchemes.resellerToken.type, 'http');
	assert.equal(document.components.securitySchemes.resellerToken.scheme, 'bearer');
	const paths = Object.values(allEndpoints).map(({ path }) => path);
	assert.deepEqual(Object.keys(document.paths), paths);
	for (const [operationId, endpoint] of Object.entries(allEndpoints)) {
		const operation = document.paths[endpoint.path][endpoint.method.toLowerCase()];
		assert.equal(operation.operationId, operationId);
		assert.equal(operation.security, undefined, 'every operation needs the token');
		assert.ok(document.tags.some(({ name }: { name: string }) => name === operation.tags[0]));
		assert.deepEqual(operation.requestBody?.content['application/json'].example, endpoint.requestExample);
		const success = operation.responses[200].content['application/json'];
		assert.deepEqual(success.example.data, endpoint.dataExample);
		assert.match(success.schema.$ref, /Answer$/);
	}
});

test('every failure of every endpoint is documented with its code, an example and its headers', () => {
	for (const { method, path, failures } of Object.values(allEndpoints)) {
		const { responses } = document.paths[path][method.toLowerCase()];
		const documented: string[] = [];
		for (const [status, reference] of Object.entries(responses)) {
			if (status === '200') continue;
			const { headers, content } = resolved(reference);
			const codes: ErrorCode[] = headers['X-Error-Code'].schema.enum;
			documented.push(...codes);
			assert.deepEqual(Object.keys(content['application/json'].examples), codes);
			for (const code of codes) {
				const { value } = content['application/json'].examples[code];
				const data = code === 'change_repeated' ? { change: allEndpoints.viewChange.dataExample } : null;
				assert.deepEqual([value.status, value.message, value.data], [Number(status), errors[code].message, data]);
				assert.equal(errors[code].status, Number(status));
			}
			assert.equal('WWW-Authenticate' in headers, status === '401' || codes.includes('missing_scope'));
			assert.equal('Allow' in headers, status === '405');
			assert.equal('Retry-After' in headers, status === '503');
		}
		assert.deepEqual(documented.toSorted(), [...COMMON_FAILURES, ...failures].toSorted(), path);
	}
});

test('every reference has a target, and every target has a reference', () => {
	const used = new Set<string>();
	forEveryReference(document, (reference) => {
		resolved({ $ref: reference });
		used.add(reference);
	});
	for (const kind of ['schemas', 'responses', 'headers', 'parameters']) {
		for (const name of Object.keys(document.components[kind])) {
			assert.ok(used.has(`#/components/${kind}/${name}`), `${kind}/${name} is used`);
		}
	}
});

test('the document contains no host, no path of a machine, and nothing that looks like a token', () => {
	const text = JSON.stringify(document);
	// These addresses are for documentation: they belong to no machine.
	const others = text.replaceAll('192.0.2.0/24', '').replaceAll(/https:\/\/(?:shop|pay)\.example\.com/g, '');
	assert.doesNotMatch(others, /https?:|www\.|localhost|\d+\.\d+\.\d+\.\d+/);
	assert.doesNotMatch(text, /\/(?:home|root|tmp|usr|var|work)\//);
	// The example of a token is none: its checksum is wrong.
	const { token } = allEndpoints.createToken.dataExample as CreatedToken;
	assert.ok(!isWellFormedToken(token));
	assert.doesNotMatch(text.replaceAll(token, ''), /brs_[0-9A-Za-z]/);
});
