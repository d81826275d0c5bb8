import { COMMON_FAILURES, type Endpoint, endpoints } from './endpoints.ts';
import { failureEnvelope } from './envelope.ts';
import { ERROR_CODE_HEADER, type ErrorCode, errors, REQUEST_ID_HEADER } from './errors.ts';
import { EXPIRY_FORM, EXPIRY_HONOURED, REQUEST_EXPIRES_HEADER } from './expiry.ts';
import { FAILURE_NAME, schemaReference } from './openapi-schemas.ts';

/** The fixed time in examples, so that the document is the same at every start. */
export const EXAMPLE_TIME_MS = Date.UTC(2026, 10, 21, 9, 30);

/** The failures of an endpoint that share one status: one response of the document. */
interface FailureGroup {
	readonly status: number;
	readonly codes: readonly ErrorCode[];
}

/** Every code of any endpoint. */
export const documentedCodes: readonly ErrorCode[] = [
	...new Set(Object.values(endpoints).flatMap((endpoint: Endpoint) => [...COMMON_FAILURES, ...endpoint.failures])),
];

/** The failures of an endpoint, by status. Each refers to a response that all endpoints with the same codes share. */
export function failureResponseReferences(endpoint: Endpoint): Record<number, unknown> {
	return Object.fromEntries(
		failureGroups(endpoint).map((group) => [group.status, { $ref: `#/components/responses/${groupName(group)}` }]),
	);
}

/** The shared responses, by name. */
export function failureResponses(): Record<string, unknown> {
	const groups = Object.values(endpoints).flatMap(failureGroups);
	return Object.fromEntries(groups.map((group) => [groupName(group), failureResponse(group)]));
}

/** The headers of every answer. */
export const commonHeaders = {
	[REQUEST_ID_HEADER]: { $ref: '#/components/headers/RequestId' },
	[REQUEST_EXPIRES_HEADER]: { $ref: '#/components/headers/RequestExpires' },
} as const;

export const parameterComponents = {
	RequestExpires: {
		name: REQUEST_EXPIRES_HEADER,
		in: 'header',
		description:
			'The Unix second from which on the service may not begin this request, by its own clock, which `timestamp` shows. A change that comes later is `unavailable`, and costs nothing.',
		schema: { type: 'string', pattern: EXPIRY_FORM.source },
		example: String(EXAMPLE_TIME_MS / 1000 + 30),
	},
} as const;

export const headerComponents = {
	RequestId: {
		description: 'Names this request in the logs of the service.',
		required: true,
		schema: { type: 'string', format: 'uuid' },
	},
	RequestExpires: {
		description: `The value of the request, or \`${EXPIRY_HONOURED}\` if the service saw no well-formed value.`,
		required: true,
		schema: { type: 'string', pattern: `${EXPIRY_FORM.source}|^${EXPIRY_HONOURED}$` },
		example: EXPIRY_HONOURED,
	},
	RetryAfter: {
		description: 'Seconds to wait before repeating. Sent only with `unavailable`: nothing was done.',
		schema: { type: 'integer', minimum: 1 },
		example: errors.unavailable.retryAfterSeconds,
	},
	Allow: {
		description: 'The methods that the path answers to.',
		required: true,
		schema: { type: 'string' },
		example: 'POST',
	},
	WwwAuthenticate: {
		description: 'The required scheme; with an error if a token was sent.',
		required: true,
		schema: { type: 'string' },
		example: 'Bearer error="invalid_token"',
	},
} as const;

function failureGroups(endpoint: Endpoint): FailureGroup[] {
	const codes = [...COMMON_FAILURES, ...endpoint.failures];
	const byStatus = Map.groupBy(codes, (code) => errors[code].status);
	return Array.from(byStatus, ([status, codes]) => ({ status, codes }));
}

/** `UnavailableOrOutcomeUnknown` for `unavailable` and `outcome_unknown`. */
function groupName({ codes }: FailureGroup): string {
	return codes.map((code) => code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())).join('Or');
}

function failureResponse({ status, codes }: FailureGroup) {
	return {
		description: codes.map((code) => `\`${code}\`: ${errors[code].message}.`).join('\n\n'),
		headers: {
			...commonHeaders,
			...failureHeaders(status, codes),
		},
		content: {
			'application/json': {
				schema: schemaReference(FAILURE_NAME),
				examples: Object.fromEntries(
					codes.map((code) => [code, { summary: code, value: failureEnvelope(code, EXAMPLE_TIME_MS) }]),
				),
			},
		},
	};
}

/** The headers that only failures with this status and these codes have. */
export function failureHeaders(status: number, codes: readonly string[]) {
	return {
		[ERROR_CODE_HEADER]: {
			description: 'The stable code of the failure.',
			required: true,
			schema: { type: 'string', enum: codes },
		},
		...(status === 401 && { 'WWW-Authenticate': { $ref: '#/components/headers/WwwAuthenticate' } }),
		...(status === 405 && { Allow: { $ref: '#/components/headers/Allow' } }),
		...(status === 503 && { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }),
	};
}
