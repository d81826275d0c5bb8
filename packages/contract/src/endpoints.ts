import Type, { type TSchema } from 'typebox';
import type { ErrorCode } from './errors.ts';
import {
	BandwidthRecord,
	SubUser,
	SubUserAuthKey,
	SubUserBalance,
	SubUserRequest,
	TransferRequest,
} from './schemas.ts';

/** One row of the contract's endpoint table. */
export interface Endpoint {
	readonly method: 'GET' | 'POST';
	/** Relative to the service's base address. */
	readonly path: string;
	readonly summary: string;
	readonly description: string;
	/** Schema of the JSON body; absent where the call takes none. */
	readonly request?: TSchema;
	/** Schema of `data` in a success. */
	readonly data: TSchema;
	/** The failures that this call can answer with, beyond those that any call can. */
	readonly failures: readonly ErrorCode[];
}

const BODY_FAILURES = ['payload_too_large', 'unsupported_media_type', 'invalid_request'] as const;
const WRITE_FAILURES = ['outcome_unknown'] as const;

/** The failures that every endpoint can answer with. */
export const COMMON_FAILURES = [
	'bad_request',
	'unauthorized',
	'method_not_allowed',
	'request_timeout',
	'expectation_failed',
	'headers_too_large',
	'internal_error',
	'unavailable',
] as const satisfies readonly ErrorCode[];

/** The eight endpoints of the contract, by operation name. */
export const endpoints = {
	myInfo: {
		method: 'GET',
		path: '/reseller/my_info',
		summary: 'Read the reseller account',
		description: "The reseller's own account, in the shape of a sub-user.",
		data: SubUser,
		failures: [],
	},
	createSubUser: {
		method: 'POST',
		path: '/reseller/sub_users/create',
		summary: 'Create a sub-user',
		description:
			'Opens a sub-user with balance 0. Every authenticated call costs 10 cents wherever the reseller can pay them, also when it fails: generate and check a unique username first. Calls that answer 401, 402, 500 or `unavailable` cost nothing.',
		request: SubUserRequest,
		data: SubUser,
		failures: [...BODY_FAILURES, 'invalid_username', 'insufficient_balance', 'username_taken', ...WRITE_FAILURES],
	},
	viewAllSubUsers: {
		method: 'GET',
		path: '/reseller/sub_users/view_all',
		summary: 'List all sub-users',
		description: 'Every sub-user of the reseller, once each, in no particular order.',
		data: Type.Array(SubUser),
		failures: [],
	},
	viewSubUser: {
		method: 'POST',
		path: '/reseller/sub_users/view_single',
		summary: 'Read one sub-user',
		description: 'One sub-user of this reseller.',
		request: SubUserRequest,
		data: SubUser,
		failures: [...BODY_FAILURES, 'unknown_sub_user'],
	},
	viewUsage: {
		method: 'POST',
		path: '/reseller/sub_users/view_txs',
		summary: 'Read daily bandwidth',
		description:
			'One record for each UTC day with usage, within today and the 89 days before it, in no particular order: sort by `timestamp`.',
		request: SubUserRequest,
		data: Type.Array(BandwidthRecord),
		failures: [...BODY_FAILURES, 'unknown_sub_user'],
	},
	resetAuthKey: {
		method: 'POST',
		path: '/reseller/sub_users/reset_auth_key',
		summary: 'Replace a proxy auth key',
		description: 'Gives the sub-user a new proxy auth key and retires the previous one.',
		request: SubUserRequest,
		data: SubUserAuthKey,
		failures: [...BODY_FAILURES, 'unknown_sub_user', ...WRITE_FAILURES],
	},
	giveBalance: {
		method: 'POST',
		path: '/reseller/sub_users/give_balance',
		summary: 'Give balance to a sub-user',
		description: "Moves an amount from the reseller's balance to the sub-user's.",
		request: TransferRequest,
		data: SubUserBalance,
		failures: [...BODY_FAILURES, 'invalid_amount', 'unknown_sub_user', 'insufficient_balance', ...WRITE_FAILURES],
	},
	takeBalance: {
		method: 'POST',
		path: '/reseller/sub_users/take_balance',
		summary: 'Take balance from a sub-user',
		description: "Moves an amount from the sub-user's balance back to the reseller's.",
		request: TransferRequest,
		data: SubUserBalance,
		failures: [...BODY_FAILURES, 'invalid_amount', 'unknown_sub_user', 'insufficient_balance', ...WRITE_FAILURES],
	},
} as const satisfies Record<string, Endpoint>;
