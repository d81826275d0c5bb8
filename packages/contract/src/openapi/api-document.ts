import {
	ERROR_CODE_HEADER,
	type ErrorDescription,
	EVENTS_NEWEST_HEADER,
	EVENTS_OLDEST_HEADER,
	errors,
	REQUEST_ID_HEADER,
	STATEMENT_NEWEST_HEADER,
} from '../errors.ts';

/** The content of the document of an API. */
export interface DescribedApi {
	readonly title: string;
	readonly summary: string;
	/** Markdown. */
	readonly description: string;
	/** The ways in which a request can identify its sender, by name. One of them is needed. */
	readonly securitySchemes: Readonly<Record<string, unknown>>;
	readonly tags: readonly { readonly name: string; readonly description: string }[];
	readonly operations: readonly DescribedOperation[];
	/** All further components to which the operations refer. */
	readonly components: Readonly<Record<string, unknown>>;
}

export interface DescribedOperation {
	readonly operationId: string;
	readonly method: 'GET' | 'POST';
	readonly path: string;
	readonly tag: string;
	readonly summary: string;
	readonly description: string;
	readonly parameters?: readonly unknown[];
	/** Absent if it takes no body. */
	readonly request?: JsonContent | undefined;
	readonly success: {
		readonly description: string;
		readonly headers: unknown;
		readonly content: JsonContent;
		/** Calls that take what the answer tells, by name. */
		readonly links?: Readonly<Record<string, unknown>> | undefined;
	};
	/** The responses of its failures, by status. */
	readonly failures: Readonly<Record<number, unknown>>;
}

/** The schema of a JSON body, and one example or several with names. */
type JsonContent = { readonly schema: unknown } & ({ readonly example: unknown } | { readonly examples: unknown });

/** The OpenAPI 3.1 document of an API. `version` is the version of the software. */
export function apiDocument(api: DescribedApi, version: string): Record<string, unknown> {
	const { title, summary, description, securitySchemes, tags, operations, components } = api;
	return documented({
		openapi: '3.1.0',
		info: { title, version, summary, description, contact: CONTACT, license: { name: 'MIT', identifier: 'MIT' } },
		// Relative to the address of the document: a proxy may serve the API below a path of its own.
		servers: [{ url: '.', description: 'This server' }],
		security: Object.keys(securitySchemes).map((name) => ({ [name]: [] })),
		tags,
		paths: Object.fromEntries(
			operations.map((operation) => [operation.path, { [operation.method.toLowerCase()]: operationObject(operation) }]),
		),
		components: { securitySchemes, ...components },
	}) as Record<string, unknown>;
}

const CONTACT = { name: 'Issues of Bursar', url: 'https://github.com/bursar-proxy/bursar/issues' };

/**
 * The document with what the validation of requests leaves out: the type of enums, the size of integers, and what is
 * `onlyDocumented`.
 */
function documented(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(documented);
	if (typeof value !== 'object' || value === null) return value;
	const { onlyDocumented, ...others } = value as Record<string, unknown>;
	const isEnum = Array.isArray(others.enum);
	const isLarge = others.type === 'integer' && !(typeof others.maximum === 'number' && others.maximum < 2 ** 31);
	return {
		...(isEnum && { type: 'string' }),
		...(isLarge && { format: 'int64' }),
		...Object.fromEntries(Object.entries(others).map(([key, inside]) => [key, documented(inside)])),
		...(onlyDocumented as object | undefined),
	};
}

function operationObject(operation: DescribedOperation) {
	const { operationId, tag, summary, description, parameters, request, success, failures } = operation;
	return {
		operationId,
		tags: [tag],
		summary,
		description,
		...(parameters && { parameters }),
		...(request && { requestBody: { required: true, content: jsonContent(request) } }),
		responses: {
			200: { ...success, content: jsonContent(success.content) },
			...failures,
		},
	};
}

function jsonContent(content: JsonContent) {
	return { 'application/json': content };
}

/** The form in which an API reports a failure. */
export interface DescribedFailures<Code extends string> {
	readonly errors: Readonly<Record<Code, ErrorDescription>>;
	/** The headers that all its answers have. */
	readonly headers: Readonly<Record<string, unknown>>;
	readonly schemaOf: (codes: readonly Code[]) => unknown;
	readonly exampleOf: (code: Code) => unknown;
}

/** Some codes, by the status that they have in common. Each group is one response of an operation. */
export function byStatus<Code extends string>(
	codes: readonly Code[],
	{ errors }: Pick<DescribedFailures<Code>, 'errors'>,
): Map<number, Code[]> {
	return Map.groupBy(codes, (code) => errors[code].status);
}

/** The response to failures with one status. */
export function failureResponse<Code extends string>(
	status: number,
	codes: readonly Code[],
	{ errors, headers, schemaOf, exampleOf }: DescribedFailures<Code>,
) {
	return {
		description: codes.map((code) => `\`${code}\`: ${errors[code].message}.`).join('\n\n'),
		headers: {
			...headers,
			[ERROR_CODE_HEADER]: {
				description: 'The stable code of the failure.',
				required: true,
				schema: { type: 'string', enum: codes },
			},
			...(mayChallenge(codes) && { 'WWW-Authenticate': { $ref: '#/components/headers/WwwAuthenticate' } }),
			...(status === 405 && { Allow: { $ref: '#/components/headers/Allow' } }),
			...(codes.some((code) => code.startsWith('events_')) && {
				[EVENTS_OLDEST_HEADER]: { $ref: '#/components/headers/EventsOldest' },
				[EVENTS_NEWEST_HEADER]: { $ref: '#/components/headers/EventsNewest' },
			}),
			...(codes.some((code) => code === 'statement_rewound') && {
				[STATEMENT_NEWEST_HEADER]: { $ref: '#/components/headers/StatementNewest' },
			}),
			...((status === 503 || status === 429) && { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }),
		},
		content: jsonContent({
			schema: schemaOf(codes),
			examples: Object.fromEntries(codes.map((code) => [code, { summary: code, value: exampleOf(code) }])),
		}),
	};
}

/** Whether a token of its caller is what is wrong. */
function mayChallenge(codes: readonly string[]): boolean {
	return codes.includes('unauthorized') || codes.includes('missing_scope');
}

/** The header that every answer has. */
export const requestIdHeader = { [REQUEST_ID_HEADER]: { $ref: '#/components/headers/RequestId' } } as const;

/** The headers that both APIs have. `secret` is what their requests carry, in one word. */
export function headerComponents(secret: string) {
	return {
		RequestId: {
			description: 'Names this request in the logs of the service.',
			required: true,
			schema: { type: 'string', format: 'uuid' },
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
			description: `The required scheme; with an error if a ${secret} was sent. In a 403 only with \`missing_scope\`, which it names.`,
			schema: { type: 'string' },
			example: 'Bearer error="invalid_token"',
		},
	} as const;
}
