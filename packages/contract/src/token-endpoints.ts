import type { Endpoint } from './endpoint.ts';
import { type OwnOperation, routes } from './routes.ts';
import {
	CreatedToken,
	CreateTokenRequest,
	EndedToken,
	type FurtherToken,
	FurtherTokens,
	TokenRequest,
	TokensRequest,
} from './token-schemas.ts';

const ID = { id: 'tok_2Vb8sQn4XkZ0rTfM7wYc1L' };
const TOKEN: FurtherToken = {
	...ID,
	name: 'shop',
	scopes: ['read', 'money'],
	allowed_ips: ['192.0.2.0/24'],
	tail: '0000',
	made_by: 'api',
	expires_at: '2027-06-30T22:00:00.000Z',
	last_used: null,
	date_created: '2026-11-21T09:30:00.000Z',
};
const BODY_FAILURES = ['payload_too_large', 'unsupported_media_type'] as const;
/** A suspended reseller may change them: a leaked token must be ended at any time. */
const CHANGE_FAILURES = [...BODY_FAILURES, 'change_repeated', 'outcome_unknown'] as const;

/** The endpoints of the further tokens of a reseller (docs/api.md 5.6). */
export const tokenEndpoints = {
	createToken: {
		...routes.createToken,
		tag: 'Tokens',
		summary: 'Create a further token',
		description:
			'A token with a name, scopes and an end, beside the one token of the reseller, which stays as it is. Keep the `token`: only this answer tells it.',
		request: CreateTokenRequest,
		requestExample: {
			name: TOKEN.name,
			scopes: TOKEN.scopes,
			expires_at: TOKEN.expires_at,
			allowed_ips: TOKEN.allowed_ips,
		},
		answer: 'The new token.',
		data: CreatedToken,
		dataExample: { ...TOKEN, token: 'brs_0000000000000000000000000000000000000000000000' },
		failures: [...CHANGE_FAILURES, 'invalid_token', 'token_exists', 'too_many_tokens'],
	},
	viewAllTokens: {
		...routes.viewAllTokens,
		tag: 'Tokens',
		summary: 'List all further tokens',
		description: 'All further tokens of the reseller, by name, without the tokens themselves.',
		request: TokensRequest,
		requestExample: {},
		answer: 'All further tokens of the reseller.',
		data: FurtherTokens,
		dataExample: [TOKEN],
		failures: BODY_FAILURES,
	},
	endToken: {
		...routes.endToken,
		tag: 'Tokens',
		summary: 'End a further token',
		description: 'The token is refused from now on, in other processes of the service within a second or two.',
		request: TokenRequest,
		requestExample: ID,
		answer: 'The token that was ended.',
		data: EndedToken,
		dataExample: ID,
		failures: [...CHANGE_FAILURES, 'unknown_token'],
	},
} as const satisfies Record<Extract<OwnOperation, 'createToken' | 'viewAllTokens' | 'endToken'>, Endpoint>;
