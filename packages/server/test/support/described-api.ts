import assert from 'node:assert/strict';
import { checkEnvelope } from '@bursar/testing/api';
import { Compile } from 'typebox/compile';

/** An answer as any client gets it. */
interface WireAnswer {
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
}

/** The API as its OpenAPI document describes it. */
export interface DescribedApi {
	/** Throws unless the document describes the answer's status, code, headers and body for the operation. */
	assertDescribed(operationId: string, answer: WireAnswer): void;
	/** The documented error codes, by operation. */
	readonly codes: ReadonlyMap<string, ReadonlySet<string>>;
}

// biome-ignore lint/suspicious/noExplicitAny: the document is untyped JSON, as for a client
type Json = any;

export function describedApi(document: Json): DescribedApi {
	const operations = new Map<string, Json>();
	for (const path of Object.values<Json>(document.paths)) {
		for (const operation of Object.values<Json>(path)) operations.set(operation.operationId, operation);
	}

	/** The target of a reference. Any other value stays as it is. */
	function resolved(value: Json): Json {
		if (value?.$ref === undefined) return value;
		const keys: string[] = value.$ref.replace('#/', '').split('/');
		return keys.reduce<Json>((inside, key) => inside[key], document);
	}

	function assertFits(schema: Json, value: unknown, what: string): void {
		const errors = [...Compile({ components: document.components, ...schema }).Errors(value)];
		assert.deepEqual(errors, [], what);
	}

	return {
		assertDescribed(operationId, { status, headers, text }) {
			const { errorCode } = checkEnvelope(status, headers, text);
			const what = `${operationId} answers ${status} ${errorCode ?? ''}`;
			const response = resolved(operations.get(operationId)?.responses[status]) ?? assert.fail(`${what}: undocumented`);
			for (const [name, reference] of Object.entries<Json>(response.headers)) {
				const { required, schema } = resolved(reference);
				const sent = headers.get(name);
				assert.ok(sent !== null || !required, `${what}, without ${name}`);
				if (sent !== null) assertFits(schema, schema.type === 'integer' ? Number(sent) : sent, `${what}: ${name}`);
			}
			for (const name of [
				'x-error-code',
				'x-request-expires',
				'x-change-id',
				'retry-after',
				'www-authenticate',
				'allow',
			]) {
				const documented = Object.keys(response.headers).some((header) => header.toLowerCase() === name);
				assert.ok(documented || !headers.has(name), `${what}, with ${name}: undocumented`);
			}
			assertFits(response.content['application/json'].schema, JSON.parse(text), what);
		},
		codes: new Map(
			Array.from(operations, ([operationId, { responses }]) => [
				operationId,
				new Set(
					Object.values<Json>(responses).flatMap((it) => resolved(it).headers['X-Error-Code']?.schema.enum ?? []),
				),
			]),
		),
	};
}
