import { CHANGE_ID_HEADER, CHANGE_KEPT_MS } from './change-id.ts';
import type { Endpoint } from './endpoint.ts';
import { type ErrorCode, FREE_OF_CREATE_FEE } from './errors.ts';
import { eventEndpoints } from './event-endpoints.ts';
import { CREATE_FEE_CENTS, USAGE_SHOWN_DAYS } from './limits.ts';
import { type Operation, type OwnOperation, routes } from './routes.ts';
import {
	BandwidthHistory,
	ChangeLook,
	ChangeRequest,
	CreateRequest,
	SubUser,
	SubUserAuthKey,
	SubUserBalance,
	SubUserList,
	SubUserRequest,
	TransferRequest,
} from './schemas.ts';
import { termsEndpoints } from './terms-endpoints.ts';
import { tokenEndpoints } from './token-endpoints.ts';
import { topUpEndpoints } from './top-up-endpoints.ts';
import { webhookEndpoints } from './webhook-endpoints.ts';

const ALICE: SubUser = {
	username: 'alice.smith',
	balance: 250,
	proxy_authkey: '4fQ9sLw2ZbT7xKc1',
	date_created: '2026-11-21T09:30:00.000Z',
};
const BOB: SubUser = {
	username: 'bob_42',
	balance: 0,
	proxy_authkey: 'h7Rk2VdP0mXe9TqA',
	date_created: '2026-11-20T16:05:12.480Z',
};
const NAME_OF_ALICE: SubUserRequest = { username: ALICE.username };

const BODY_FAILURES = ['payload_too_large', 'unsupported_media_type'] as const;
const WRITE_FAILURES = ['suspended', 'change_repeated', 'outcome_unknown'] as const;

/** The failures that every endpoint can answer with. */
export const COMMON_FAILURES = [
	'bad_request',
	'invalid_request',
	'unauthorized',
	'missing_scope',
	'address_not_allowed',
	'method_not_allowed',
	'request_timeout',
	'expectation_failed',
	'headers_too_large',
	'internal_error',
	'unavailable',
] as const satisfies readonly ErrorCode[];

/** Lists the failures of create that cost nothing. */
function freeCodes(): string {
	const codes = [
		...COMMON_FAILURES,
		'suspended' as const,
		'insufficient_balance' as const,
		'change_repeated' as const,
	].filter((code) => FREE_OF_CREATE_FEE.has(code));
	const quoted = codes.map((code) => `\`${code}\``);
	// `Intl.ListFormat` takes 20 ms at its first use.
	return `${quoted.slice(0, -1).join(', ')}, or ${quoted.at(-1)}`;
}

/** The eight endpoints that every server of this API has (docs/api.md 1.2), by operation name. */
export const endpoints = {
	myInfo: {
		...routes.myInfo,
		tag: 'Account',
		summary: 'Read the reseller account',
		description: "The reseller's own account, in the shape of a sub-user.",
		answer: 'The account of the reseller.',
		data: SubUser,
		dataExample: {
			username: 'acme',
			balance: 12480,
			proxy_authkey: 'Zt5nB8cW1yLs6GfJ',
			date_created: '2026-11-01T08:00:00.000Z',
		},
		failures: [],
	},
	createSubUser: {
		...routes.createSubUser,
		tag: 'Sub-users',
		summary: 'Create a sub-user',
		description: `Opens a sub-user with balance 0. **Every authenticated call costs ${CREATE_FEE_CENTS} cents** if the reseller can pay them, even if the call fails: generate and check a unique username first. Calls that answer ${freeCodes()} cost nothing.\n\nA balance below the fee is refused first, before the body is looked at.`,
		request: CreateRequest,
		requestExample: NAME_OF_ALICE,
		answer: 'The new sub-user.',
		data: SubUser,
		dataExample: { ...ALICE, balance: 0 },
		failures: [...BODY_FAILURES, 'invalid_username', 'insufficient_balance', 'username_taken', ...WRITE_FAILURES],
	},
	viewAllSubUsers: {
		...routes.viewAllSubUsers,
		tag: 'Sub-users',
		summary: 'List all sub-users',
		description:
			'Every sub-user of the reseller, once each, in no particular order. The answer is streamed: if it breaks off, the connection is closed before the JSON is complete.',
		answer: 'All sub-users of the reseller.',
		data: SubUserList,
		dataExample: [ALICE, BOB],
		failures: [],
	},
	viewSubUser: {
		...routes.viewSubUser,
		tag: 'Sub-users',
		summary: 'Read one sub-user',
		description: 'A sub-user of this reseller, with its balance and its proxy auth key.',
		request: SubUserRequest,
		requestExample: NAME_OF_ALICE,
		answer: 'The sub-user.',
		data: SubUser,
		dataExample: ALICE,
		failures: [...BODY_FAILURES, 'unknown_sub_user'],
	},
	viewUsage: {
		...routes.viewUsage,
		tag: 'Usage',
		summary: 'Read daily bandwidth',
		description: `One record for each UTC day with usage, within today and the ${USAGE_SHOWN_DAYS - 1} days before it, in no particular order: sort by \`timestamp\`.`,
		request: SubUserRequest,
		requestExample: NAME_OF_ALICE,
		answer: 'The usage of the sub-user, by UTC day.',
		data: BandwidthHistory,
		dataExample: [
			{ bandwidth: { up: 1048576, down: 73400320 }, timestamp: '2026-11-20T00:00:00.000Z' },
			{ bandwidth: { up: 262144, down: 9437184 }, timestamp: '2026-11-21T00:00:00.000Z' },
		],
		failures: [...BODY_FAILURES, 'unknown_sub_user'],
	},
	resetAuthKey: {
		...routes.resetAuthKey,
		tag: 'Sub-users',
		summary: 'Replace a proxy auth key',
		description: 'Gives the sub-user a new proxy auth key and retires the previous one.',
		request: SubUserRequest,
		requestExample: NAME_OF_ALICE,
		answer: 'The sub-user and its new proxy auth key.',
		data: SubUserAuthKey,
		dataExample: { username: ALICE.username, proxy_authkey: 'Q3wE8rTy6UiO1pLk' },
		failures: [...BODY_FAILURES, 'unknown_sub_user', ...WRITE_FAILURES],
	},
	giveBalance: {
		...routes.giveBalance,
		tag: 'Balance',
		summary: 'Give balance to a sub-user',
		description: "Moves an amount from the reseller's balance to the sub-user's.",
		takesReference: true,
		request: TransferRequest,
		requestExample: { username: ALICE.username, amount_usd_cents: 250 },
		answer: 'The sub-user and its new balance.',
		data: SubUserBalance,
		dataExample: { username: ALICE.username, balance: 500 },
		failures: [...BODY_FAILURES, 'invalid_amount', 'unknown_sub_user', 'insufficient_balance', ...WRITE_FAILURES],
	},
	takeBalance: {
		...routes.takeBalance,
		tag: 'Balance',
		summary: 'Take balance from a sub-user',
		description: "Moves an amount from the sub-user's balance back to the reseller's.",
		takesReference: true,
		request: TransferRequest,
		requestExample: { username: ALICE.username, amount_usd_cents: 250 },
		answer: 'The sub-user and its new balance.',
		data: SubUserBalance,
		dataExample: { username: ALICE.username, balance: 0 },
		failures: [...BODY_FAILURES, 'invalid_amount', 'unknown_sub_user', 'insufficient_balance', ...WRITE_FAILURES],
	},
} as const satisfies Record<Exclude<Operation, OwnOperation>, Endpoint>;

/** The endpoints that only Bursar has: another server of this API need not have them. */
export const ownEndpoints = {
	viewChange: {
		...routes.viewChange,
		tag: 'Changes',
		summary: 'Read what a change did',
		description: `What the change with this \`${CHANGE_ID_HEADER}\` did, or \`null\` if the reseller has no such change. Changes are kept for at least ${CHANGE_KEPT_MS / 3_600_000} hours.`,
		request: ChangeRequest,
		requestExample: { change_id: 'mgd3k1c0-Vn4xT8sQp2LzRw' },
		answer: 'What the change did, or `null`.',
		data: ChangeLook,
		dataExample: {
			change_id: 'mgd3k1c0-Vn4xT8sQp2LzRw',
			kind: 'give_balance',
			username: ALICE.username,
			amount: 250,
			balance: 500,
			error: null,
			timestamp: '2026-11-21T09:30:00.000Z',
			request_id: '5f0c2a52-6f0e-4a53-9d0a-2f6a1f7d9c11',
		},
		failures: BODY_FAILURES,
	},
	...termsEndpoints,
	...eventEndpoints,
	...webhookEndpoints,
	...tokenEndpoints,
	...topUpEndpoints,
} as const satisfies Record<OwnOperation, Endpoint>;

/** Every endpoint of the service. */
export const allEndpoints: Readonly<Record<Operation, Endpoint>> = { ...endpoints, ...ownEndpoints };
