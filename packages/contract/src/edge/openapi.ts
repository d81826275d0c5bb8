import {
	apiDocument,
	byStatus,
	type DescribedFailures,
	type DescribedOperation,
	failureResponse,
	headerComponents,
	requestIdHeader,
} from '../openapi/api-document.ts';
import { type EdgeErrorCode, type EdgeFailure, edgeErrors } from './errors.ts';
import { MAX_EDGE_BODY_BYTES } from './limits.ts';
import { EDGE_FAILURES, type EdgeOperation, edgeOperations } from './operations.ts';

const TAG = 'Edges';

/**
 * The OpenAPI 3.1 document of the edge listener, made from the schemas and the error registry that the server uses.
 * `version` is the version of the software.
 */
export function edgeOpenApiDocument(version: string): Record<string, unknown> {
	return apiDocument(
		{
			title: 'Bursar edge protocol',
			summary: 'What proxy hosts ask and report.',
			description: INTRODUCTION,
			securitySchemes: {
				edgeKey: {
					type: 'http',
					scheme: 'bearer',
					description:
						'The key of an edge, that `bursar-edge join` has made with a link from `bursar edge create NAME`, or from `bursar edge create --key NAME`. Tokens of resellers are of no use here.',
				},
			},
			tags: [{ name: TAG, description: 'For any proxy, with a program beside it.' }],
			operations: Object.entries(edgeOperations).map(operationOf),
			components: { headers: headerComponents('key') },
		},
		version,
	);
}

function operationOf([operationId, operation]: readonly [operationId: string, EdgeOperation]): DescribedOperation {
	const { method, path, summary, description, exchanges, failures } = operation;
	return {
		operationId,
		method,
		path,
		tag: TAG,
		summary,
		description,
		request: contentOf(exchanges.map(({ name, request, requestExample }) => [name, request, requestExample])),
		success: {
			description: [...new Set(exchanges.map(({ answer }) => (answer as { description?: string }).description))].join(
				' ',
			),
			headers: requestIdHeader,
			content: contentOf(exchanges.map(({ name, answer, answerExample }) => [name, answer, answerExample])),
		},
		failures: Object.fromEntries(
			Array.from(byStatus([...EDGE_FAILURES, ...failures], FAILURES), ([status, codes]) => [
				status,
				failureResponse(status, codes, FAILURES),
			]),
		),
	};
}

function contentOf(bodies: readonly (readonly [name: string, schema: unknown, example: unknown])[]) {
	const schemas = [...new Set(bodies.map(([, schema]) => schema))];
	return {
		schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas },
		examples: Object.fromEntries(bodies.map(([name, , value]) => [name, { summary: name, value }])),
	};
}

const FAILURES: DescribedFailures<EdgeErrorCode> = {
	errors: edgeErrors,
	headers: requestIdHeader,
	schemaOf: (codes) => ({
		type: 'object',
		required: ['error', 'message'],
		additionalProperties: false,
		properties: {
			error: { type: 'string', enum: codes, description: 'The stable code of the failure.' },
			message: { type: 'string', description: 'For people. Never branch on its wording.' },
		},
	}),
	exampleOf: (code) => ({ error: code, message: edgeErrors[code].message }) satisfies EdgeFailure,
};

const INTRODUCTION = `
A proxy host, an *edge*, asks here whether a pair of username and proxy auth key is good, and reports how many bytes each
account used. The operator makes a link with \`bursar edge create NAME\`, with which the proxy host joins with a key of its
own; or a key with \`bursar edge create --key NAME\`.

- Every request carries \`Authorization: Bearer <EDGE_KEY>\`.
- Every request is a POST with a JSON object of at most ${MAX_EDGE_BODY_BYTES / 1024} KiB,
  sent with \`Content-Type: application/json\`.
- Answers are plain JSON, without the envelope of the reseller API. Look at the HTTP status first. A failure is
  \`{"error": CODE, "message": TEXT}\`, and repeats its code in \`X-Error-Code\`.
- After \`unavailable\` nothing was done: repeat the request after the seconds in \`Retry-After\`. After
  \`outcome_unknown\`, or if an answer was lost, send the same counters again: nothing is counted twice.
`.trim();
