import { CHANGE_ID_HEADER, CHANGE_KEPT_MS } from './change-id.ts';
import type { Endpoint } from './endpoint.ts';
import { allEndpoints, COMMON_FAILURES, ownEndpoints } from './endpoints.ts';
import { describedFailureEnvelope, failureEnvelope, successEnvelope } from './envelope.ts';
import { type ErrorCode, errors } from './errors.ts';
import { EXPIRY_HONOURED, REQUEST_EXPIRES_HEADER } from './expiry.ts';
import { CREATE_FEE_CENTS, EFFECT_LIMIT_MS, MAX_BODY_BYTES } from './limits.ts';
import {
	apiDocument,
	byStatus,
	type DescribedFailures,
	type DescribedOperation,
	failureResponse,
	headerComponents,
} from './openapi/api-document.ts';
import { answerHeaders, changeHeaders, changeParameters, parametersOf } from './openapi/change-headers.ts';
import { linksOf } from './openapi/links.ts';
import { answerName, failureSchema, pascalCase, refer, schemaComponents, schemaReference } from './openapi/schemas.ts';
import { REFERENCE_FORM, REFERENCE_HEADER } from './reference.ts';
import { ONE_TOKEN, type Operation } from './routes.ts';

/**
 * The OpenAPI 3.1 document of the service, made from the schemas and the error registry that the server uses. It is made
 * here and not by Fastify, so that the client and the conformance suite have it without a server.
 * `version` is the version of the software.
 */
export function openApiDocument(version: string): Record<string, unknown> {
	const { RequestId, ...headers } = headerComponents('token');
	return apiDocument(
		{
			title: 'Bursar reseller API',
			summary: 'Reseller accounts, sub-users, balances and bandwidth.',
			description: INTRODUCTION,
			securitySchemes: {
				resellerToken: {
					type: 'http',
					scheme: 'bearer',
					description:
						'The bearer token of the reseller. It controls funds and credentials: keep it on a server, never in software that customers run, and never use it as a proxy password.',
				},
			},
			tags: [
				{ name: 'Account', description: 'The reseller itself.' },
				{ name: 'Sub-users', description: 'The sub-users of the reseller and their proxy credentials.' },
				{ name: 'Balance', description: 'Money between the reseller and its sub-users, in both directions.' },
				{ name: 'Usage', description: 'The bandwidth of the sub-users.' },
				{ name: 'Changes', description: 'What changes did. Another server of this API need not have it.' },
				{
					name: 'Life',
					description:
						'State, limits and end of a sub-user, and pages of lists. Another server of this API need not have it.',
				},
				{
					name: 'Events',
					description: 'What has happened, in order. Another server of this API need not have it.',
				},
				{
					name: 'Webhooks',
					description: 'URLs to which the service sends the events. Another server of this API need not have it.',
				},
				{
					name: 'Tokens',
					description: 'Further tokens with scopes and an end. Another server of this API need not have it.',
				},
				{
					name: 'Top-ups',
					description: 'Payments through a payment provider. Another server of this API need not have it.',
				},
			],
			operations: Object.entries(allEndpoints).map(operationOf),
			components: {
				schemas: schemaComponents(),
				responses: failureComponents(),
				headers: {
					RequestId,
					...changeHeaders,
					EventsOldest: EVENTS_OLDEST,
					EventsNewest: EVENTS_NEWEST,
					StatementNewest: STATEMENT_NEWEST,
					...headers,
				},
				parameters: { ...changeParameters, Reference: REFERENCE_PARAMETER },
			},
		},
		version,
	);
}

function operationOf([operationId, endpoint]: readonly [operationId: string, Endpoint]): DescribedOperation {
	const { method, path, tag, summary, description, request, requestExample, answer, data, dataExample } = endpoint;
	const isChange = endpoint.failures.includes('change_repeated');
	return {
		operationId,
		method,
		path,
		tag,
		summary,
		description: `${description}\n\n${scopeText(endpoint)}`,
		parameters: [
			...parametersOf(isChange),
			...(endpoint.takesReference ? [{ $ref: '#/components/parameters/Reference' }] : []),
		],
		request: request && { schema: refer(request), example: requestExample },
		success: {
			description: answer,
			headers: FAILURES.headers,
			content: {
				schema: schemaReference(answerName(data)),
				example: successEnvelope(dataExample, EXAMPLE_TIME_MS),
			},
			...linksOf(operationId as Operation),
		},
		failures: Object.fromEntries(
			Array.from(failuresOf(endpoint), ([status, codes]) => [
				status,
				{ $ref: `#/components/responses/${componentName(codes)}` },
			]),
		),
	};
}

/** Which tokens may make a call, in words. */
function scopeText({ scopes }: Pick<Endpoint, 'scopes'>): string {
	if (scopes === ONE_TOKEN) return 'Only the one token of the reseller may do this.';
	if (scopes.length === 0) return 'Any token may do this.';
	return `A further token needs ${scopes.map((scope) => `\`${scope}\``).join(' and ')}.`;
}

/** The fixed time in examples, so that the document is the same at every start. */
const EXAMPLE_TIME_MS = Date.UTC(2026, 10, 21, 9, 30);

const FAILURES: DescribedFailures<ErrorCode> = {
	errors,
	headers: answerHeaders,
	schemaOf: failureSchema,
	exampleOf: (code) =>
		code === 'change_repeated'
			? describedFailureEnvelope(errors[code], EXAMPLE_TIME_MS, { change: ownEndpoints.viewChange.dataExample })
			: failureEnvelope(code, EXAMPLE_TIME_MS),
};

function failuresOf(endpoint: Endpoint): Map<number, ErrorCode[]> {
	return byStatus([...COMMON_FAILURES, ...endpoint.failures], FAILURES);
}

/** The responses of failures. All endpoints with the same codes share one. */
function failureComponents(): Record<string, unknown> {
	const groups = Object.values(allEndpoints).flatMap((endpoint) => [...failuresOf(endpoint)]);
	return Object.fromEntries(
		groups.map(([status, codes]) => [componentName(codes), failureResponse(status, codes, FAILURES)]),
	);
}

/** `UnavailableOrOutcomeUnknown` for `unavailable` and `outcome_unknown`. */
function componentName(codes: readonly ErrorCode[]): string {
	return codes.map(pascalCase).join('Or');
}

const REFERENCE_PARAMETER = {
	name: REFERENCE_HEADER,
	in: 'header',
	description:
		'What it is for, as you name it, like an order: visible ASCII characters without spaces. It is stored with the movement, and the statement finds it. It need not be unique.',
	schema: { type: 'string', pattern: REFERENCE_FORM.source },
};

const EVENTS_OLDEST = {
	description: 'The number of the oldest event that is kept, or of the next one if none is.',
	required: true,
	schema: { type: 'string', pattern: '^[0-9]+$' },
	example: '812',
};

const EVENTS_NEWEST = {
	description: 'The number of the newest event; 0 if there is none yet.',
	required: true,
	schema: { type: 'string', pattern: '^[0-9]+$' },
	example: '1042',
};

const STATEMENT_NEWEST = {
	description: 'The id of the newest movement; 0 if there is none yet.',
	required: true,
	schema: { type: 'string', pattern: '^[0-9]+$' },
	example: '8123',
};

const INTRODUCTION = `
With this API, a reseller manages its account and its sub-users. Each sub-user has a balance and a pair of proxy
credentials: its \`username\` and its \`proxy_authkey\`.

- All money is in integer USD cents: 500 means 5.00 USD.
- Every request carries \`Authorization: Bearer <RESELLER_TOKEN>\`.
- Every POST takes a JSON object of at most ${MAX_BODY_BYTES / 1024} KiB, sent with \`Content-Type: application/json\`.
- Creating a sub-user costs ${CREATE_FEE_CENTS} cents for every invocation, even if it fails.

## Answers

Every answer is one JSON object with four fields. \`status\` repeats the HTTP status. \`message\` is for people, and empty
on success. \`timestamp\` is in Unix seconds. \`data\` is the result of the call, and \`null\` on failure, except for
\`change_repeated\`. Look at the HTTP status before you read \`data\`, and never branch on the wording of \`message\`.

Every answer also carries \`X-Request-Id\`, which names the request in the logs of the service, and
\`Cache-Control: no-store\`.

## Failures

A failure carries its stable code in the \`X-Error-Code\` header.

| Failure | Meaning |
|---|---|
${errorRows()}

## Repeating a request

After \`unavailable\`, nothing was done, and you may repeat the request after the seconds in
\`Retry-After\`. After \`outcome_unknown\`, or if an answer was lost, read the account or the sub-user first, and repeat only
a change that did not take effect.

What you read may not be final: a request can arrive a minute or more after you gave its connection up. So send a change
with \`${REQUEST_EXPIRES_HEADER}\`: the Unix second from which on the service may not begin it, by the service's clock,
which each \`timestamp\` shows. A change that comes later is \`unavailable\`: nothing is done, and nothing is charged.
${EFFECT_LIMIT_MS / 1000} seconds after its expiry, a change has taken effect or never will, unless the service itself does
not know (\`outcome_unknown\`). The value is 1 to 12 digits. An ill-formed value, or one that is sent twice, is
\`invalid_request\`.

To learn exactly what became of a change, send it with \`${CHANGE_ID_HEADER}\`: an id that you make anew for each change, of
16 to 64 letters, digits, \`-\` and \`_\`. After a lost answer, \`/reseller/changes/view\` tells what the change with this id
did. A second change with the same id is \`change_repeated\`: nothing is done, nothing is charged, and \`data\` has the
\`change\` that was done before. Ids are kept for at
least ${CHANGE_KEPT_MS / 3_600_000} hours. A change that is refused and costs nothing leaves no id, so you may try again with the same one.

An answer repeats the value of its request, or says \`${EXPIRY_HONOURED}\` if none arrived. If you sent a value and read
\`${EXPIRY_HONOURED}\`, a proxy on the way removed the header.
`.trim();

/** One row of a Markdown table for each code, in the order of their statuses. */
function errorRows(): string {
	const codes = new Set(Object.values(allEndpoints).flatMap(({ failures }) => [...COMMON_FAILURES, ...failures]));
	return (['not_found', ...codes] as const)
		.toSorted((one, other) => errors[one].status - errors[other].status)
		.map((code) => `| ${errors[code].status} \`${code}\` | ${errors[code].message} |`)
		.join('\n');
}
