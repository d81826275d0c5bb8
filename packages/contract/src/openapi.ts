import { COMMON_FAILURES, type Endpoint, endpoints } from './endpoints.ts';
import { envelopeSchema, failureEnvelope } from './envelope.ts';
import { ERROR_CODE_HEADER, type ErrorCode, errors, REQUEST_ID_HEADER } from './errors.ts';

/** Examples show one fixed moment, so that the document is the same at every start. */
const EXAMPLE_TIME_MS = Date.UTC(2026, 10, 21);

const headerComponents = {
	RequestId: {
		description: 'Names this request in the logs of the service.',
		schema: { type: 'string' },
	},
	ErrorCode: {
		description: 'The stable code of the failure. Branch on this and the status, never on `message`.',
		schema: { type: 'string', enum: Object.keys(errors) },
	},
	RetryAfter: {
		description: 'Seconds to wait before repeating. Sent only where certainly nothing was done.',
		schema: { type: 'integer', minimum: 1 },
	},
	Allow: { description: 'The methods that the path answers to.', schema: { type: 'string' } },
	WwwAuthenticate: { description: 'The scheme that is asked for: `Bearer`.', schema: { type: 'string' } },
} as const;

/**
 * The OpenAPI 3.1 document of the service, made from the very schemas and the error registry that
 * the server uses. `version` is the version of the software.
 */
export function openApiDocument(version: string): Record<string, unknown> {
	const paths: Record<string, unknown> = {};
	for (const [operationId, endpoint] of Object.entries(endpoints)) {
		paths[endpoint.path] = { [endpoint.method.toLowerCase()]: operation(operationId, endpoint) };
	}
	return {
		openapi: '3.1.0',
		info: {
			title: 'Bursar reseller API',
			version,
			description:
				'Lets a reseller run its account and its sub-users. All money is in integer USD cents. Every response is the same envelope of four fields; a failure carries its stable code in the `X-Error-Code` header. There is no idempotency key: after a lost answer, look before repeating.',
			license: { name: 'MIT', identifier: 'MIT' },
		},
		servers: [{ url: '/', description: 'This server' }],
		security: [{ resellerToken: [] }],
		tags: [
			{ name: 'account', description: 'The reseller itself.' },
			{ name: 'sub-users', description: 'The sub-users of the reseller.' },
		],
		paths,
		components: {
			securitySchemes: {
				resellerToken: {
					type: 'http',
					scheme: 'bearer',
					description:
						'The bearer token of the reseller. It has authority over funds and credentials: keep it on a server, never in software that customers run.',
				},
			},
			headers: headerComponents,
			schemas: { Failure: failureSchema() },
		},
	};
}

function operation(operationId: string, endpoint: Endpoint) {
	return {
		operationId,
		summary: endpoint.summary,
		description: endpoint.description,
		tags: [endpoint.path.startsWith('/reseller/sub_users/') ? 'sub-users' : 'account'],
		...(endpoint.request && {
			requestBody: { required: true, content: { 'application/json': { schema: endpoint.request } } },
		}),
		responses: {
			200: {
				description: 'Done.',
				headers: { [REQUEST_ID_HEADER]: { $ref: '#/components/headers/RequestId' } },
				content: { 'application/json': { schema: envelopeSchema(endpoint.data) } },
			},
			...failureResponses(endpoint),
		},
	};
}

/** One response for each status, with an example for each code that has it. */
function failureResponses(endpoint: Endpoint): Record<number, unknown> {
	const codesByStatus = new Map<number, ErrorCode[]>();
	for (const code of [...COMMON_FAILURES, ...endpoint.failures]) {
		const { status } = errors[code];
		codesByStatus.set(status, [...(codesByStatus.get(status) ?? []), code]);
	}
	const responses: Record<number, unknown> = {};
	for (const [status, codes] of codesByStatus) responses[status] = failureResponse(status, codes);
	return responses;
}

function failureResponse(status: number, codes: readonly ErrorCode[]) {
	const examples = Object.fromEntries(
		codes.map((code) => [code, { summary: code, value: failureEnvelope(code, EXAMPLE_TIME_MS) }]),
	);
	return {
		description: codes.map((code) => `\`${code}\`: ${errors[code].message}.`).join('\n\n'),
		headers: {
			[REQUEST_ID_HEADER]: { $ref: '#/components/headers/RequestId' },
			[ERROR_CODE_HEADER]: { $ref: '#/components/headers/ErrorCode' },
			...(status === 401 && { 'WWW-Authenticate': { $ref: '#/components/headers/WwwAuthenticate' } }),
			...(status === 405 && { Allow: { $ref: '#/components/headers/Allow' } }),
			...(status === 503 && { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }),
		},
		content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' }, examples } },
	};
}

function failureSchema() {
	const { properties, required } = envelopeSchema({ type: 'null' });
	return { type: 'object', description: 'The envelope of every failure.', properties, required };
}
