import { endpoints } from './endpoints.ts';
import { type ErrorCode, errors } from './errors.ts';
import { EXPIRY_HONOURED, REQUEST_EXPIRES_HEADER } from './expiry.ts';
import { CREATE_FEE_CENTS, EFFECT_LIMIT_MS, MAX_BODY_BYTES } from './limits.ts';
import { operationOf } from './openapi-operation.ts';
import { documentedCodes, failureResponses, headerComponents, parameterComponents } from './openapi-responses.ts';
import { schemaComponents } from './openapi-schemas.ts';

/**
 * The OpenAPI 3.1 document of the service, made from the schemas and the error registry that the server uses.
 * `version` is the version of the software.
 */
export function openApiDocument(version: string): Record<string, unknown> {
	return {
		openapi: '3.1.0',
		info: {
			title: 'Bursar reseller API',
			version,
			summary: 'Reseller accounts, sub-users, balances and bandwidth.',
			description: INTRODUCTION,
			license: { name: 'MIT', identifier: 'MIT' },
		},
		servers: [{ url: '/', description: 'This server' }],
		security: [{ resellerToken: [] }],
		tags: [
			{ name: 'Account', description: 'The reseller itself.' },
			{ name: 'Sub-users', description: 'The sub-users of the reseller and their proxy credentials.' },
			{ name: 'Balance', description: 'Money between the reseller and its sub-users, in both directions.' },
			{ name: 'Usage', description: 'The bandwidth of the sub-users.' },
		],
		paths: Object.fromEntries(
			Object.entries(endpoints).map(([operationId, endpoint]) => [
				endpoint.path,
				{ [endpoint.method.toLowerCase()]: operationOf(operationId, endpoint) },
			]),
		),
		components: {
			securitySchemes: {
				resellerToken: {
					type: 'http',
					scheme: 'bearer',
					description:
						'The bearer token of the reseller. It controls funds and credentials: keep it on a server, never in software that customers run, and never use it as a proxy password.',
				},
			},
			schemas: schemaComponents(),
			responses: failureResponses(),
			headers: headerComponents,
			parameters: parameterComponents,
		},
	};
}

const INTRODUCTION = `
With this API, a reseller manages its account and its sub-users. Each sub-user has a balance and a pair of proxy
credentials: its \`username\` and its \`proxy_authkey\`.

- All money is in integer USD cents: 500 means 5.00 USD.
- Every request carries \`Authorization: Bearer <RESELLER_TOKEN>\`.
- Every POST takes a JSON object of at most ${MAX_BODY_BYTES / 1024} KiB, sent with \`Content-Type: application/json\`.
- Creating a sub-user costs ${CREATE_FEE_CENTS} cents for every invocation, even if it fails.

## Answers

Every answer is one JSON object with four fields. \`status\` repeats the HTTP status. \`message\` is for people, and empty
on success. \`timestamp\` is in Unix seconds. \`data\` is the result of the call, and \`null\` on failure. Look at the HTTP
status before you read \`data\`, and never branch on the wording of \`message\`.

Every answer also carries \`X-Request-Id\`, which names the request in the logs of the service, and
\`Cache-Control: no-store\`.

## Failures

A failure carries its stable code in the \`X-Error-Code\` header.

| Failure | Meaning |
|---|---|
${errorRows()}

## Repeating a request

There is no idempotency key. After \`unavailable\`, nothing was done, and you may repeat the request after the seconds in
\`Retry-After\`. After \`outcome_unknown\`, or if an answer was lost, read the account or the sub-user first, and repeat only
a change that did not take effect.

What you read may not be final: a request can arrive a minute or more after you gave its connection up. So send a change
with \`${REQUEST_EXPIRES_HEADER}\`: the Unix second from which on the service may not begin it, by the service's clock,
which each \`timestamp\` shows. A change that comes later is \`unavailable\`: nothing is done, and nothing is charged.
${EFFECT_LIMIT_MS / 1000} seconds after its expiry, a change has taken effect or never will, unless the service itself does
not know (\`outcome_unknown\`). The value is 1 to 12 digits. An ill-formed value, or one that is sent twice, is
\`invalid_request\`.

An answer repeats the value of its request, or says \`${EXPIRY_HONOURED}\` if none arrived. If you sent a value and read
\`${EXPIRY_HONOURED}\`, a proxy on the way removed the header.
`.trim();

/** One row of a Markdown table for each code, in the order of their statuses. */
function errorRows(): string {
	const codes: readonly ErrorCode[] = ['not_found', ...documentedCodes];
	return codes
		.toSorted((one, other) => errors[one].status - errors[other].status)
		.map((code) => `| ${errors[code].status} \`${code}\` | ${errors[code].message} |`)
		.join('\n');
}
