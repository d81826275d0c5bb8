import { CHANGE_ID_HEADER } from '../change-id.ts';
import { describedFailureEnvelope, envelopeSchema, successEnvelope } from '../envelope.ts';
import { REQUEST_EXPIRES_HEADER } from '../expiry.ts';
import { MAX_BODY_BYTES } from '../limits.ts';
import {
	apiDocument,
	byStatus,
	type DescribedFailures,
	type DescribedOperation,
	failureResponse,
	headerComponents,
} from '../openapi/api-document.ts';
import { answerHeaders, changeHeaders, changeParameters, parametersOf } from '../openapi/change-headers.ts';
import { OPERATOR_SCOPES } from '../scopes.ts';
import { DoneChange } from './changes.ts';
import { type OperatorErrorCode, operatorErrors } from './errors.ts';
import {
	OPERATOR_API,
	OPERATOR_CHANGE_FAILURES,
	OPERATOR_FAILURES,
	type OperatorOperation,
	type OperatorTag,
} from './operation.ts';
import { operatorOperations } from './operations.ts';
import { answer } from './parts.ts';

/**
 * The OpenAPI 3.1 document of the operator's API, made from the schemas and the error registry that the server uses.
 * `version` is the version of the software.
 */
export function operatorOpenApiDocument(version: string): Record<string, unknown> {
	return apiDocument(
		{
			title: 'Bursar operator API',
			summary: 'Resellers, money, people, proxy hosts and bandwidth, for the programs of the operator.',
			description: INTRODUCTION,
			securitySchemes: {
				operatorToken: {
					type: 'http',
					scheme: 'bearer',
					description:
						'A token that an operator has made on the dashboard, or with `bursar operator-token create`. Tokens of resellers are of no use here.',
				},
			},
			tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
			operations: Object.entries<OperatorOperation>(operatorOperations).map(operationOf),
			components: {
				headers: { ...headerComponents('token'), ...changeHeaders },
				parameters: changeParameters,
			},
		},
		version,
	);
}

const TAGS: Readonly<Record<OperatorTag, string>> = {
	Resellers: 'The resellers of the platform.',
	Money: 'Money in from outside and back out, prices and debts.',
	Tokens: 'The tokens of resellers.',
	People: 'The people of resellers, who sign in to the dashboard. Operators are no business of programs.',
	Edges: 'The proxy hosts.',
	'Sub-users': 'The sub-users of a reseller, and its statement. No call tells a proxy auth key.',
	Usage: 'Bandwidth, and its corrections.',
	Changes: 'What changes did.',
};

function operationOf([operationId, operation]: readonly [operationId: string, OperatorOperation]): DescribedOperation {
	const { path, scope, isChange, tag, summary, description, request, requestExample, answer, data } = operation;
	const codes = [...OPERATOR_FAILURES, ...operation.failures, ...(isChange ? OPERATOR_CHANGE_FAILURES : [])];
	const needs = scope === null ? 'Any token may do this.' : `The token needs \`${scope}\`.`;
	return {
		operationId,
		method: 'POST',
		path: OPERATOR_API + path,
		tag,
		summary,
		description: `${description}\n\n${needs}`,
		parameters: parametersOf(isChange),
		request: { schema: request, example: requestExample },
		success: {
			description: answer,
			headers: answerHeaders,
			content: { schema: envelopeSchema(data), example: successEnvelope(operation.dataExample, EXAMPLE_TIME_MS) },
		},
		failures: Object.fromEntries(
			Array.from(byStatus(codes, FAILURES), ([status, some]) => [status, failureResponse(status, some, FAILURES)]),
		),
	};
}

/** The fixed time in examples, so that the document is the same at every start. */
const EXAMPLE_TIME_MS = Date.UTC(2026, 10, 21, 9, 30);

const FAILURES: DescribedFailures<OperatorErrorCode> = {
	errors: operatorErrors,
	headers: answerHeaders,
	schemaOf: (codes) => {
		if (!codes.includes('change_repeated')) return FAILURE_SCHEMA;
		return codes.length === 1 ? REPEATED_SCHEMA : { anyOf: [REPEATED_SCHEMA, FAILURE_SCHEMA] };
	},
	exampleOf: (code) =>
		describedFailureEnvelope(
			operatorErrors[code],
			EXAMPLE_TIME_MS,
			code === 'change_repeated' ? { change: operatorOperations.viewChange.dataExample } : null,
		),
};

const FAILURE_SCHEMA = { description: 'The envelope of every failure.', ...envelopeSchema({ type: 'null' }) };

const REPEATED_SCHEMA = {
	description: 'The envelope of a change that was done before.',
	...envelopeSchema(answer({ change: DoneChange }, 'What the change with this id did.')),
};

const INTRODUCTION = `
With this API, a program of the operator does what operators do: it creates resellers, credits them, sets their prices, and
looks after people, proxy hosts and bandwidth.

- All money is in integer USD cents: 500 means 5.00 USD.
- Every request carries \`Authorization: Bearer <OPERATOR_TOKEN>\`. A token has scopes: ${OPERATOR_SCOPES.map((scope) => `\`${scope}\``).join(', ')}. What a token lacks is answered 403 \`missing_scope\`.
- Every request is a POST with a JSON object of at most ${MAX_BODY_BYTES / 1024} KiB, sent with \`Content-Type: application/json\`.
- Answers have the envelope of the reseller API: \`status\`, \`message\`, \`timestamp\`, \`data\`. A failure carries its stable code
  in \`X-Error-Code\`.
- A change can carry \`${REQUEST_EXPIRES_HEADER}\` and \`${CHANGE_ID_HEADER}\`, which mean the same as on the reseller API. The ids are those
  of the operator, whichever token asks. After a lost answer, ask \`${OPERATOR_API}/changes/view\` what the change did.
- After \`unavailable\` nothing was done: repeat the request after the seconds in \`Retry-After\`.
`.trim();
