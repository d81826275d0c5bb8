import { CreateWithRequest, SubUserWithTerms } from './create-with-schemas.ts';
import type { Endpoint } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';
import { CREATE_FEE_CENTS } from './limits.ts';
import { type OwnOperation, routes } from './routes.ts';
import { SubUserRequest } from './schemas.ts';
import { StatementPage, StatementPageRequest } from './statement-schemas.ts';
import {
	AccountRequest,
	DeletedSubUser,
	ResellerAccount,
	SetLimitsRequest,
	SetNoteRequest,
	SetSignInIpsRequest,
	SubUserDetails,
	type SubUserLimits,
	SubUserPage,
	SubUserPageRequest,
	SubUserWithLimits,
	SubUserWithNote,
	SubUserWithSignInIps,
	SubUserWithState,
} from './terms-schemas.ts';

const ALICE = { username: 'alice.smith' };
const CAROL = { username: 'carol.lee' };
const LIMITS: SubUserLimits = {
	day_bytes: 2_000_000_000,
	month_bytes: null,
	total_bytes: null,
	connections: 20,
	bytes_per_second: 1_250_000,
	allowed_ips: ['192.0.2.0/24', '2001:db8::7'],
	expires_at: '2026-12-31T23:00:00.000Z',
};
const CHANGE_FAILURES = [
	...(['payload_too_large', 'unsupported_media_type', 'unknown_sub_user'] as const),
	...(['suspended', 'change_repeated', 'outcome_unknown'] as const),
] satisfies readonly ErrorCode[];
const READ_FAILURES = ['payload_too_large', 'unsupported_media_type'] as const satisfies readonly ErrorCode[];

/** The endpoints about the terms of a sub-user (state, limits, note), and the statement (docs/api.md 11). */
export const termsEndpoints = {
	viewAccount: {
		...routes.viewAccount,
		tag: 'Account',
		summary: 'Read balance, debt and price',
		description:
			'What the reseller has and owes, what a GB of bandwidth costs, and whether the proxies accept its own pair. A debt beyond the line makes them refuse all its sub-users too, while bandwidth has a price.',
		request: AccountRequest,
		requestExample: {},
		answer: 'The account of the reseller.',
		data: ResellerAccount,
		dataExample: { balance: 0, debt: 120, line: 500, price: 3_500_000, usable: false, reason: 'exhausted' },
		failures: READ_FAILURES,
	},
	createSubUserWith: {
		...routes.createSubUserWith,
		tag: 'Life',
		summary: 'Create a sub-user with balance, limits and note',
		description: `Opens a sub-user, gives it balance, and sets its limits and its note, in one transaction: all of it is done, or nothing. It costs ${CREATE_FEE_CENTS} cents. If the reseller's balance does not cover the fee and the amount together, the answer is 402, and nothing is charged. Unlike \`create\`, a malformed request costs nothing; a name that is taken costs the fee.`,
		takesReference: true,
		request: CreateWithRequest,
		requestExample: {
			...CAROL,
			amount_usd_cents: 2500,
			limits: { total_bytes: 10_000_000_000, expires_at: '2026-12-21T09:30:00Z' },
			note: 'order 1042',
		},
		answer: 'The new sub-user, its limits and its note.',
		data: SubUserWithTerms,
		dataExample: {
			...CAROL,
			balance: 2500,
			proxy_authkey: '4fQ9sLw2ZbT7xKc1',
			date_created: '2026-11-21T09:30:00.000Z',
			limits: {
				...{ day_bytes: null, month_bytes: null, total_bytes: 10_000_000_000 },
				...{ connections: null, bytes_per_second: null, allowed_ips: null, expires_at: '2026-12-21T09:30:00.000Z' },
			},
			note: 'order 1042',
		},
		failures: [
			...READ_FAILURES,
			...(['invalid_username', 'invalid_amount', 'invalid_limits', 'invalid_note'] as const),
			...(['insufficient_balance', 'username_taken', 'suspended', 'change_repeated', 'outcome_unknown'] as const),
		],
	},
	suspendSubUser: {
		...routes.suspendSubUser,
		tag: 'Life',
		summary: 'Suspend a sub-user',
		description: 'Its pair is refused from now on, and its open connections end within seconds. Its balance stays.',
		request: SubUserRequest,
		requestExample: ALICE,
		answer: 'The sub-user and its state.',
		data: SubUserWithState,
		dataExample: { ...ALICE, state: 'suspended' },
		failures: CHANGE_FAILURES,
	},
	resumeSubUser: {
		...routes.resumeSubUser,
		tag: 'Life',
		summary: 'Resume a sub-user',
		description: 'Ends a suspension. A sub-user that has expired stays so.',
		request: SubUserRequest,
		requestExample: ALICE,
		answer: 'The sub-user and its state.',
		data: SubUserWithState,
		dataExample: { ...ALICE, state: 'active' },
		failures: CHANGE_FAILURES,
	},
	setLimits: {
		...routes.setLimits,
		tag: 'Life',
		summary: 'Set limits of a sub-user',
		description:
			'Sets the limits that are present, and removes those that are `null`. Days and months are those of UTC. A limit of bytes counts all that was counted of its day, its month or all time, and is open again when the next one begins.',
		request: SetLimitsRequest,
		requestExample: { ...ALICE, day_bytes: 2_000_000_000, expires_at: '2026-12-31T23:00:00Z' },
		answer: 'The sub-user and all its limits.',
		data: SubUserWithLimits,
		dataExample: { ...ALICE, limits: LIMITS },
		failures: ['invalid_limits', ...CHANGE_FAILURES],
	},
	setNote: {
		...routes.setNote,
		tag: 'Life',
		summary: 'Set the note of a sub-user',
		description: 'A note for people. It changes nothing else.',
		request: SetNoteRequest,
		requestExample: { ...ALICE, note: 'pays by invoice' },
		answer: 'The sub-user and its note.',
		data: SubUserWithNote,
		dataExample: { ...ALICE, note: 'pays by invoice' },
		failures: ['invalid_note', ...CHANGE_FAILURES],
	},
	setSignInIps: {
		...routes.setSignInIps,
		tag: 'Life',
		summary: 'Set from where a sub-user signs in without a password',
		description:
			'Sets all addresses of a sub-user: who uses the proxies from one of them, and sends no username and password, is this sub-user. Its limits hold as with its password. No two accounts of the platform have the same address, and which account has one is not told. The operator must allow it: otherwise addresses can only be removed.',
		request: SetSignInIpsRequest,
		requestExample: { ...ALICE, sign_in_ips: ['192.0.2.7', '2001:db8:0:7::/64'] },
		answer: 'The sub-user and its addresses.',
		data: SubUserWithSignInIps,
		dataExample: { ...ALICE, sign_in_ips: ['192.0.2.7', '2001:db8:0:7::/64'] },
		failures: ['invalid_sign_in_ips', 'sign_in_by_address_off', 'address_taken', ...CHANGE_FAILURES],
	},
	viewDetails: {
		...routes.viewDetails,
		tag: 'Life',
		summary: 'Read state, limits and use of a sub-user',
		description:
			'The state of a sub-user, whether the proxies accept its pair and why not, its limits, what of them is used, its note, and what proxies refused.',
		request: SubUserRequest,
		requestExample: ALICE,
		answer: 'The details of the sub-user.',
		data: SubUserDetails,
		dataExample: {
			...ALICE,
			state: 'active',
			usable: true,
			reason: null,
			limits: LIMITS,
			used: { day_bytes: 9699328, month_bytes: 84148224, total_bytes: 84148224, connections: 3 },
			sign_in_ips: [],
			note: 'pays by invoice',
			last_seen: '2026-11-21T09:30:00.000Z',
			last_refusal: {
				at: '2026-11-21T09:31:07.000Z',
				edge: 'frankfurt-1',
				reason: 'connection_limit_reached',
				network: '192.0.2.0/24',
			},
			refusals: [{ reason: 'connection_limit_reached', count: 12 }],
		},
		failures: [...READ_FAILURES, 'unknown_sub_user'],
	},
	viewSubUserPage: {
		...routes.viewSubUserPage,
		tag: 'Life',
		summary: 'List a page of sub-users',
		description:
			'Sub-users in the order of their names, with whether the proxies accept each now and why not, and what each has used. A page looks at a limited number of names: if few of them match, it has fewer rows than `limit`, or none.',
		request: SubUserPageRequest,
		requestExample: { limit: 2, usable: false },
		answer: 'A page of sub-users.',
		data: SubUserPage,
		dataExample: {
			sub_users: [
				{
					...ALICE,
					balance: 0,
					proxy_authkey: '4fQ9sLw2ZbT7xKc1',
					date_created: '2026-11-21T09:30:00.000Z',
					state: 'active',
					usable: false,
					reason: 'exhausted',
					used: { day_bytes: 9699328, month_bytes: 84148224, total_bytes: 84148224 },
				},
			],
			next: 'alice.smith',
		},
		failures: READ_FAILURES,
	},
	viewStatementPage: {
		...routes.viewStatementPage,
		tag: 'Life',
		summary: 'Read a page of the statement',
		description:
			'The movements of money of the reseller and its sub-users, the newest or the oldest first. The oldest first, keep `next`, and go on from there later: each movement is told once, and none is left out. A place that the statement does not have any more is 410, never a silent gap: `X-Statement-Newest` tells the id of the newest movement. What was used since it was last settled is in the balances that other calls answer, and not yet in a movement.',
		request: StatementPageRequest,
		requestExample: { order: 'oldest', limit: 1, from: '2026-11-01', reference: 'order-7781' },
		answer: 'A page of movements.',
		data: StatementPage,
		dataExample: {
			movements: [
				{
					id: 8123,
					kind: 'give',
					...ALICE,
					amount: 250,
					balance: 12230,
					sub_user_balance: 500,
					timestamp: '2026-11-21T09:30:00.000Z',
					request_id: '5f0c2a52-6f0e-4a53-9d0a-2f6a1f7d9c11',
					change_id: 'mgd3k1c0-Vn4xT8sQp2LzRw',
					reference: 'order-7781',
				},
			],
			next: '8123-5d1c07ab92e04f36',
			more: false,
		},
		failures: [...READ_FAILURES, 'statement_rewound'],
	},
	deleteSubUser: {
		...routes.deleteSubUser,
		tag: 'Life',
		summary: 'Delete a sub-user',
		description:
			'Settles what it used, moves the rest of its balance back to the reseller, and ends it, in one transaction. Its name is never given again. Its past stays in statements and reports.',
		request: SubUserRequest,
		requestExample: ALICE,
		answer: 'The sub-user, and what went back.',
		data: DeletedSubUser,
		dataExample: { ...ALICE, amount_usd_cents: 250 },
		failures: ['invalid_amount', ...CHANGE_FAILURES],
	},
} as const satisfies Partial<Record<OwnOperation, Endpoint>>;
