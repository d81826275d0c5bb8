import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
	allEndpoints,
	COMMON_FAILURES,
	type Endpoint,
	type ErrorCode,
	errors,
	type Operation,
	openApiDocument,
} from '@bursar/contract';
import { edgeOpenApiDocument } from '@bursar/contract/edge';
import { operatorOpenApiDocument } from '@bursar/contract/operator';
import { isWellFormedToken } from '@bursar/contract/secret-text';
import type { CreatedToken } from '@bursar/contract/token-schemas';
import { Compile } from 'typebox/compile';

// biome-ignore lint/suspicious/noExplicitAny: the tests read the document as a client would
const document: any = JSON.parse(JSON.stringify(openApiDocument('1.2.3')));

const documents = Object.entries({
	reseller: document,
	operator: JSON.parse(JSON.stringify(operatorOpenApiDocument('1.2.3'))),
	edge: JSON.parse(JSON.stringify(edgeOpenApiDocument('1.2.3'))),
});

/** The target of a reference; any other value stays as it is. */
// biome-ignore lint/suspicious/noExplicitAny: see above
function resolved(value: any): any {
	if (value?.$ref === undefined) return value;
	const keys: string[] = value.$ref.replace(/^#\//, '').split('/');
	// biome-ignore lint/suspicious/noExplicitAny: see above
	return keys.reduce((inside: any, key) => inside?.[key], document) ?? assert.fail(`${value.$ref} points nowhere`);
}

function forEveryObject(value: unknown, visit: (object: Readonly<Record<string, unknown>>) => void): void {
	if (typeof value !== 'object' || value === null) return;
	if (!Array.isArray(value)) visit(value as Record<string, unknown>);
	for (const inside of Object.values(value)) forEveryObject(inside, visit);
}

function forEveryReference(value: unknown, visit: (reference: string) => void): void {
	forEveryObject(value, ({ $ref }) => $ref !== undefined && visit($ref as string));
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
	const others = text
		.replaceAll(/192\.0\.2\.(0\/24|7)/g, '')
		.replaceAll(/https:\/\/(?:shop|pay)\.example\.com/g, '')
		.replace(`"${document.info.contact.url}"`, '');
	assert.doesNotMatch(others, /https?:|www\.|localhost|\d+\.\d+\.\d+\.\d+/);
	assert.doesNotMatch(text, /\/(?:home|root|tmp|usr|var|work)\//);
	// The example of a token is none: its checksum is wrong.
	const { token } = allEndpoints.createToken.dataExample as CreatedToken;
	assert.ok(!isWellFormedToken(token));
	assert.doesNotMatch(text.replaceAll(token, ''), /brs_[0-9A-Za-z]/);
});

test('whoever has a question finds the place for issues of the repository', () => {
	const { bugs } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
	for (const [api, { info }] of documents) assert.equal(info.contact.url, bugs, api);
});

test('each enum and each constant has a type, because generators make nothing of one without', () => {
	for (const [api, described] of documents) {
		let found = 0;
		forEveryObject(described, (schema) => {
			if (!Array.isArray(schema.enum) && !('const' in schema)) return;
			found++;
			for (const value of (schema.enum ?? [schema.const]) as unknown[]) {
				assert.equal(schema.type, typeof value, `${api}: ${JSON.stringify(schema)}`);
			}
		});
		assert.ok(found > 5, `${api} has ${found}`);
	}
});

test('each integer that may need more than 32 bits says so, because generators of Java and C# would make it smaller', () => {
	const { SubUserLimits, Failure } = document.components.schemas;
	const { total_bytes, connections } = SubUserLimits.properties;
	assert.deepEqual([total_bytes.anyOf[0].format, connections.anyOf[0].format], ['int64', undefined]);
	assert.equal(Failure.properties.timestamp.format, 'int64');
	for (const [name, whole] of documents) {
		forEveryObject(whole, ({ type, maximum = Number.POSITIVE_INFINITY, format }) => {
			if (type === 'integer' && Number(maximum) >= 2 ** 31) assert.equal(format, 'int64', name);
		});
	}
});

test('no value that may be absent has a default, because generators make such a field a required one', () => {
	for (const [api, described] of documents) {
		forEveryObject(described, (schema) => assert.ok(!('default' in schema), `${api}: ${JSON.stringify(schema)}`));
	}
});

test('the server is where the document is, also below the path of a proxy', () => {
	for (const [api, { servers }] of documents) {
		const serverOf = (address: string) => servers.map(({ url }: { url: string }) => new URL(url, address).href);
		assert.deepEqual(serverOf('https://api.example.com/openapi.json'), ['https://api.example.com/'], api);
		assert.deepEqual(serverOf('https://example.com/bursar/openapi.json'), ['https://example.com/bursar/'], api);
	}
});

/** The schema of a request as the document has it. */
function checkOf(operationId: Operation): (body: unknown) => boolean {
	const { path } = allEndpoints[operationId];
	const { schema } = document.paths[path].post.requestBody.content['application/json'];
	const compiled = Compile({ components: document.components, ...schema });
	return (body) => compiled.Check(body);
}

test('the requests in the document refuse what the service refuses', () => {
	const alice = { username: 'alice' };
	const noNames = ['', 'abc', 'a'.repeat(33), '.alice', 'alice_', 'al..ice', 'al ice', '\u212aelvin'];
	const refused: [Operation, object, object[]][] = [
		['createSubUser', { username: 'Alice.Smith' }, noNames.map((username) => ({ username }))],
		['createSubUserWith', { username: 'Alice.Smith' }, noNames.map((username) => ({ username }))],
		['createSubUserWith', { ...alice, note: '' }, [{ ...alice, note: 'two\nlines' }]],
		[
			'setNote',
			{ ...alice, note: 'für Anna 🙂' },
			[
				{ ...alice, note: 'a'.repeat(201) },
				{ ...alice, note: '\u0007' },
			],
		],
		['setLimits', { ...alice, day_bytes: null }, [alice]],
		['updateWebhook', { id: 'whe_6Tq1XrVn0KbZ8sWdP3mYc7', types: null }, [{ id: 'whe_6Tq1XrVn0KbZ8sWdP3mYc7' }]],
		['createWebhook', { url: 'HTTPS://shop.example.com' }, [{ url: '' }, { url: 'ftp://shop.example.com' }]],
		['setLimits', { ...alice, allowed_ips: ['192.0.2.0/24', '::'] }, [{ ...alice, allowed_ips: ['everywhere'] }]],
		['viewSubUserPage', { prefix: '', after: '' }, [{ prefix: 'é' }, { prefix: 'a b' }, { after: 'a'.repeat(65) }]],
		['viewStatementPage', { after: '8123', order: 'newest' }, [{ after: '' }, { after: 'x' }, { order: 'last' }]],
	];
	for (const [operationId, taken, others] of refused) {
		const check = checkOf(operationId);
		assert.ok(check(taken), `${operationId} takes ${JSON.stringify(taken)}`);
		for (const other of others) assert.ok(!check(other), `${operationId} takes ${JSON.stringify(other)}`);
	}
	// A look at a sub-user that cannot be is `unknown_sub_user`, and costs nothing.
	for (const username of noNames) assert.ok(checkOf('viewSubUser')({ username }));
});

test('each link leads to a call that takes its body', () => {
	const endpoints: [Operation, Endpoint][] = Object.entries(allEndpoints) as [Operation, Endpoint][];
	let found = 0;
	for (const [operationId, { method, path, requestExample, dataExample }] of endpoints) {
		const { links = {} } = document.paths[path][method.toLowerCase()].responses[200];
		const told = { request: requestExample, response: { data: dataExample } };
		// biome-ignore lint/suspicious/noExplicitAny: see above
		for (const link of Object.values<any>(links)) {
			found++;
			const body = Object.entries(link.requestBody).map(([field, value]) => [field, evaluated(value, told)]);
			const isTaken = checkOf(link.operationId)(Object.fromEntries(body));
			assert.ok(isTaken, `${operationId} leads to ${link.operationId} with ${JSON.stringify(body)}`);
		}
	}
	assert.ok(found > 20);
});

/** The value of an expression like `$response.body#/data/id`. Any other value stays as it is. */
function evaluated(value: unknown, told: Readonly<Record<string, unknown>>): unknown {
	const [, from, pointer] = /^\$(request|response)\.body#\/(.+)$/.exec(String(value)) ?? [];
	if (from === undefined || pointer === undefined) return value;
	// biome-ignore lint/suspicious/noExplicitAny: see above
	return pointer.split('/').reduce((inside: any, key) => {
		return key in inside ? inside[key] : assert.fail(`there is no ${value}`);
	}, told[from]);
}
