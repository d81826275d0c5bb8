import Type, { type Static } from 'typebox';
import { MAX_ALLOWED_IPS, MAX_TOKEN_DAYS } from './limits.ts';
import { Network, nullable, UtcTimestamp } from './schema-parts.ts';
import { RESELLER_SCOPES } from './scopes.ts';

// Requests and answers of the further tokens of a reseller (docs/api.md 5.6).

const TokenId = Type.String({
	pattern: '^tok_[0-9A-Za-z]{22}$',
	description: 'The id of the token. It is no secret.',
	examples: ['tok_2Vb8sQn4XkZ0rTfM7wYc1L'],
});

const Name = Type.String({
	pattern: '^[A-Za-z0-9]([A-Za-z0-9 ._-]{0,38}[A-Za-z0-9])?$',
	description:
		'For people: 1 to 40 letters, digits, spaces, periods, underscores and hyphens. No two tokens share one.',
	examples: ['shop'],
});

const Scopes = Type.Array(Type.Enum([...RESELLER_SCOPES]), {
	minItems: 1,
	maxItems: RESELLER_SCOPES.length,
	uniqueItems: true,
	description:
		'What the token may do. `read`: what tells no key. `sub_users`: keys, terms, and creating, which spends fees. `money`: give, take and top-ups.',
	examples: [['read', 'money']],
});

const AllowedIps = Type.Array(Network('192.0.2.0/24'), {
	minItems: 1,
	maxItems: MAX_ALLOWED_IPS,
	description: 'From where the token may be used: addresses and networks of IPv4 and IPv6.',
});

/** The body of `tokens/view_all`. */
export const TokensRequest = Type.Object({}, { description: 'Nothing. Fields are ignored.' });

export const CreateTokenRequest = Type.Object(
	{
		name: Name,
		scopes: Scopes,
		expires_at: Type.String({
			format: 'date-time',
			description: `From this time on the token is refused: ISO 8601 with a zone, at most ${MAX_TOKEN_DAYS} days ahead.`,
			examples: ['2027-06-30T22:00:00.000Z'],
		}),
		allowed_ips: Type.Optional(nullable(AllowedIps, 'From where it may be used; absent or `null`: from anywhere.')),
	},
	{ description: 'The new token. Other fields are ignored.' },
);

export const TokenRequest = Type.Object({ id: TokenId }, { description: 'Names one token. Other fields are ignored.' });

const TOKEN = {
	id: TokenId,
	name: Name,
	scopes: Scopes,
	allowed_ips: nullable(AllowedIps, 'From where it may be used; `null`: from anywhere.'),
	tail: Type.String({ description: 'The last four characters of the token.', examples: ['x4Kd'] }),
	made_by: Type.String({
		description: 'The e-mail address of the person who made it, or `api` if a program did.',
		examples: ['api'],
	}),
	expires_at: UtcTimestamp('From when on it is refused, UTC.'),
	last_used: nullable(UtcTimestamp('When it was last used, UTC.'), 'About 90 s exact; `null` if it never was.'),
	date_created: UtcTimestamp('When it was made, UTC.'),
} as const;

export const FurtherToken = Type.Object(TOKEN, {
	additionalProperties: false,
	description: 'A further token of the reseller.',
});
export type FurtherToken = Static<typeof FurtherToken>;

export const CreatedToken = Type.Object(
	{
		...TOKEN,
		token: Type.String({
			pattern: '^brs_[0-9A-Za-z]{46}$',
			description: 'The token itself. It is told only here: keep it.',
		}),
	},
	{ additionalProperties: false, description: 'The new token.' },
);
export type CreatedToken = Static<typeof CreatedToken>;

export const FurtherTokens = Type.Array(FurtherToken, {
	description: 'All further tokens of the reseller, by name. Expired ones are listed until one is created.',
});

export const EndedToken = Type.Object(
	{ id: TokenId },
	{ additionalProperties: false, description: 'The token that was ended.' },
);
