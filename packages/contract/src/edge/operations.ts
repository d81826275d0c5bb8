import type { TSchema } from 'typebox';
import type { EdgeErrorCode } from './errors.ts';
import { MAX_CHECKS, MAX_COUNTERS, RECHECK_MS } from './limits.ts';
import { edgeRoutes } from './routes.ts';
import {
	AddressCheckRequest,
	CheckAnswer,
	CheckRequest,
	ChecksAnswer,
	ChecksRequest,
	CounterReading,
	JoinAnswer,
	JoinRequest,
	RefusedClients,
	UsageAnswer,
	UsageRequest,
} from './shapes.ts';

/** One operation of the edge listener, as its document describes it. */
export interface EdgeOperation {
	readonly method: 'POST';
	readonly path: string;
	readonly summary: string;
	readonly description: string;
	/** The bodies that it takes, with an answer to each. */
	readonly exchanges: readonly [EdgeExchange, ...EdgeExchange[]];
	/** The failures of this operation, besides `EDGE_FAILURES`. */
	readonly failures: readonly EdgeErrorCode[];
}

interface EdgeExchange {
	readonly name: string;
	readonly request: unknown;
	readonly requestExample: unknown;
	readonly answer: TSchema;
	readonly answerExample: unknown;
}

/** The failures that every operation can answer with. */
export const EDGE_FAILURES = [
	'bad_request',
	'invalid_request',
	'unauthorized',
	'method_not_allowed',
	'request_timeout',
	'payload_too_large',
	'unsupported_media_type',
	'expectation_failed',
	'headers_too_large',
	'internal_error',
	'unavailable',
] as const satisfies readonly EdgeErrorCode[];

const USERNAME = 'alice.smith';
const KEY_ID = 'Hk3vQ0m8yTn5cXf2LwZb1A';
const NO_LIMITS = {
	left_bytes: null,
	left_reason: null,
	max_connections: null,
	max_bytes_per_second: null,
	ends_in_ms: null,
	allowed_ips: null,
};
const GOOD = {
	ok: true,
	username: USERNAME,
	key_id: KEY_ID,
	reseller: 'acme',
	reason: null,
	recheck_ms: RECHECK_MS,
	...NO_LIMITS,
};
const WRONG = {
	ok: false,
	username: null,
	key_id: null,
	reseller: null,
	reason: 'wrong_pair',
	recheck_ms: RECHECK_MS,
	...NO_LIMITS,
};

/** The operations of the edge listener, by name. */
export const edgeOperations: Readonly<Record<keyof typeof edgeRoutes, EdgeOperation>> = {
	check: {
		...edgeRoutes.check,
		summary: 'Check pairs',
		description: `Tells whether one pair is good, or up to ${MAX_CHECKS}. An answer may be used for \`recheck_ms\`. Then check again, also for connections that are still open: send their \`key_id\` instead of the password, and end the connections of refused pairs. If \`left_bytes\` is a number, end the connections of the account when they have passed this many bytes, without asking. Hold \`max_connections\`, \`max_bytes_per_second\`, \`ends_in_ms\` and \`allowed_ips\` in the same way. An account may sign in by the address of a client that sends no pair: such a client is checked, and held, like one with a pair.`,
		exchanges: [
			{
				name: 'one',
				request: CheckRequest,
				requestExample: { username: 'Alice.Smith', password: '4fQ9sLw2ZbT7xKc1_country-US', client: '192.0.2.7' },
				answer: CheckAnswer,
				answerExample: GOOD,
			},
			{
				name: 'several',
				request: ChecksRequest,
				requestExample: {
					checks: [
						{ username: USERNAME, key_id: KEY_ID },
						{ username: 'bob_42', password: 'wrong' },
					],
				},
				answer: ChecksAnswer,
				answerExample: { checks: [GOOD, WRONG], signs_in_by_address: false },
			},
			{
				name: 'by address',
				request: AddressCheckRequest,
				requestExample: { by_address: true, client: '192.0.2.7' },
				answer: CheckAnswer,
				answerExample: { ...GOOD, key_id: `@${KEY_ID}` },
			},
		],
		failures: [],
	},
	usage: {
		...edgeRoutes.usage,
		summary: 'Report bytes',
		description: `Takes the present values of up to ${MAX_COUNTERS} counters. A counter only grows: each direction adds what is above its highest known value. So send a value again after a lost answer, and the newest value at any time: nothing is counted twice. A reading that cannot count is named, and harms no other. The same request may say how many connections of accounts with such a limit are open, and which accounts were refused.`,
		exchanges: [
			{
				name: 'counters',
				request: {
					type: 'object',
					required: ['counters'],
					properties: {
						counters: { type: 'array', maxItems: MAX_COUNTERS, items: CounterReading },
						open: UsageRequest.properties.open,
						refusals: { ...UsageRequest.properties.refusals, items: RefusedClients },
					},
				},
				requestExample: {
					counters: [
						{
							counter: 'p:6f1c:alice.smith',
							username: USERNAME,
							up: 1048576,
							down: 73400320,
							at: '2026-11-21T09:30:00.000Z',
						},
					],
					open: [{ username: USERNAME, open: 3 }],
					refusals: [
						{
							username: 'bob_42',
							reason: 'exhausted',
							count: 12,
							at: '2026-11-21T09:29:58.000Z',
							network: '192.0.2.0/24',
						},
					],
				},
				answer: UsageAnswer,
				answerExample: { counted: 1, repeated: 0, refused: [] },
			},
		],
		failures: ['outcome_unknown'],
	},
	join: {
		...edgeRoutes.join,
		summary: 'Join with a link',
		description:
			'Gives the edge of a link its key: the bearer token of this request, which the proxy host has made. It has the form of all edge keys: `bre_`, 40 random base62 characters, and 6 of their CRC-32. A link is good for 24 hours and for one key. After a lost answer, send the same again.',
		exchanges: [
			{
				name: 'link',
				request: JoinRequest,
				requestExample: { link: 'c0Zl8kq4vYb1nT7xWm2sRj5uAe9hDg3iPo6fLt0KyQE' },
				answer: JoinAnswer,
				answerExample: { edge: 'frankfurt-1' },
			},
		],
		failures: ['invalid_link', 'too_many_tries', 'outcome_unknown'],
	},
};
