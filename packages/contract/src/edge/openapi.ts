import { REQUEST_ID_HEADER } from '../errors.ts';
import { failureHeaders } from '../openapi-responses.ts';
import { type EdgeErrorCode, type EdgeFailure, edgeErrors } from './errors.ts';
import { MAX_EDGE_BODY_BYTES, MAX_GOST_BODY_BYTES } from './limits.ts';
import { EDGE_FAILURES, type EdgeOperation, edgeOperations } from './operations.ts';

/**
 * The OpenAPI 3.1 document of the edge listener, made from the schemas and the error registry that the server uses.
 * `version` is the version of the software.
 */
export function edgeOpenApiDocument(version: string): Record<string, unknown> {
	return {
		openapi: '3.1.0',
		info: {
			title: 'Bursar edge protocol',
			version,
			summary: 'What proxy hosts ask and report.',
			description: INTRODUCTION,
			license: { name: 'MIT', identifier: 'MIT' },
		},
		servers: [{ url: '/', description: 'This server' }],
		security: [{ edgeKey: [] }, { edgeKeyAsPassword: [] }],
		tags: [
			{ name: 'Edges', description: 'For any proxy, with a program beside it.' },
			{ name: 'GOST', description: 'For GOST v3, which asks by itself.' },
		],
		paths: Object.fromEntries(
			Object.entries(edgeOperations).map(([operationId, operation]) => [
				operation.path,
				{ post: describedOperation(operationId, operation) },
			]),
		),
		components: {
			securitySchemes: {
				edgeKey: {
					type: 'http',
					scheme: 'bearer',
					description: 'The key of an edge, from `bursar edge create NAME`. Tokens of resellers are of no use here.',
				},
				edgeKeyAsPassword: {
					type: 'http',
					scheme: 'basic',
					description:
						'The same key as the password, with any user name, for programs that send no bearer token, like GOST.',
				},
			},
			headers: headerComponents,
		},
	};
}

function describedOperation(operationId: string, operation: EdgeOperation) {
	const { tag, summary, description, exchanges, failures } = operation;
	const byStatus = Map.groupBy([...EDGE_FAILURES, ...failures], (code) => edgeErrors[code].status);
	return {
		operationId,
		tags: [tag],
		summary,
		description,
		requestBody: {
			required: true,
			content: jsonContent(exchanges.map(({ name, request, requestExample }) => [name, request, requestExample])),
		},
		responses: {
			200: {
				description: exchanges.map(({ answer }) => (answer as { description?: string }).description).join(' '),
				headers: requestIdHeader,
				content: jsonContent(exchanges.map(({ name, answer, answerExample }) => [name, answer, answerExample])),
			},
			...Object.fromEntries(Array.from(byStatus, ([status, codes]) => [status, failureResponse(status, codes)])),
		},
	};
}

function jsonContent(bodies: readonly (readonly [name: string, schema: unknown, example: unknown])[]) {
	const schemas = bodies.map(([, schema]) => schema);
	return {
		'application/json': {
			schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas },
			examples: Object.fromEntries(bodies.map(([name, , value]) => [name, { summary: name, value }])),
		},
	};
}

function failureResponse(status: number, codes: readonly EdgeErrorCode[]) {
	return {
		description: codes.map((code) => `\`${code}\`: ${edgeErrors[code].message}.`).join('\n\n'),
		headers: {
			...requestIdHeader,
			...failureHeaders(status, codes),
		},
		content: {
			'application/json': {
				schema: {
					type: 'object',
					required: ['error', 'message'],
					additionalProperties: false,
					properties: {
						error: { type: 'string', enum: codes, description: 'The stable code of the failure.' },
						message: { type: 'string', description: 'For people. Never branch on its wording.' },
					},
				},
				examples: Object.fromEntries(
					codes.map((code) => [
						code,
						{ summary: code, value: { error: code, message: edgeErrors[code].message } satisfies EdgeFailure },
					]),
				),
			},
		},
	};
}

const requestIdHeader = { [REQUEST_ID_HEADER]: { $ref: '#/components/headers/RequestId' } };

const headerComponents = {
	RequestId: {
		description: 'Names this request in the logs of the service.',
		required: true,
		schema: { type: 'string', format: 'uuid' },
	},
	RetryAfter: {
		description: 'Seconds to wait before repeating. Sent only with `unavailable`: nothing was done.',
		schema: { type: 'integer', minimum: 1 },
		example: edgeErrors.unavailable.retryAfterSeconds,
	},
	Allow: {
		description: 'The methods that the path answers to.',
		required: true,
		schema: { type: 'string' },
		example: 'POST',
	},
	WwwAuthenticate: {
		description: 'The required scheme; with an error if a key was sent.',
		required: true,
		schema: { type: 'string' },
		example: 'Bearer error="invalid_token"',
	},
} as const;

const INTRODUCTION = `
A proxy host, an *edge*, asks here whether a pair of username and proxy auth key is good, and reports how many bytes each
account used. The operator makes its key with \`bursar edge create NAME\`.

- Every request carries \`Authorization: Bearer <EDGE_KEY>\`.
- Every request is a POST with a JSON object of at most ${MAX_EDGE_BODY_BYTES / 1024} KiB (of GOST
  ${MAX_GOST_BODY_BYTES / 1024} KiB), sent with \`Content-Type: application/json\`.
- Answers are plain JSON, without the envelope of the reseller API. Look at the HTTP status first. A failure is
  \`{"error": CODE, "message": TEXT}\`, and repeats its code in \`X-Error-Code\`.
- After \`unavailable\` nothing was done: repeat the request after the seconds in \`Retry-After\`. After
  \`outcome_unknown\`, or if an answer was lost, send the same counters again: nothing is counted twice.
`.trim();
