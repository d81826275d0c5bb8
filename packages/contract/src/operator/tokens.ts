import Type from 'typebox';
import { FurtherTokens } from '../token-schemas.ts';
import { operation } from './operation.ts';
import {
	ACME,
	ANN,
	answer,
	EXAMPLE_TIME,
	OfResellerRequest,
	Reseller,
	ResellerRequest,
	SentReseller,
} from './parts.ts';

export const NewToken = answer(
	{
		username: Reseller,
		token: Type.String({
			pattern: '^brs_[0-9A-Za-z]{46}$',
			description: 'The one token of the reseller. It is told only here: keep it.',
		}),
	},
	'The reseller and its token.',
);
export const TOKEN = { username: ACME, token: 'brs_0000000000000000000000000000000000000000000000' };

const TOKEN_ID = 'tok_2Vb8sQn4XkZ0rTfM7wYc1L';
const TokenId = Type.String({ description: 'The id of the token.', examples: [TOKEN_ID] });

/** The tokens of resellers. */
export const tokenOperations = {
	endTokens: operation({
		path: '/resellers/end_tokens',
		scope: 'tokens:write',
		isChange: true,
		tag: 'Tokens',
		summary: 'End all tokens of a reseller',
		description:
			'Refuses every token of the reseller from now on, further ones too, and tells a new one, only here. Whoever has it can do all that the reseller can.',
		request: ResellerRequest,
		requestExample: { username: ACME },
		answer: 'The reseller and its new token.',
		data: NewToken,
		dataExample: TOKEN,
		failures: ['unknown_reseller'],
	}),
	viewTokens: operation({
		path: '/tokens/view_all',
		scope: 'resellers:read',
		isChange: false,
		tag: 'Tokens',
		summary: 'Read the further tokens of a reseller',
		description: 'The further tokens of a reseller, without secrets. The one token is not among them.',
		request: OfResellerRequest,
		requestExample: { reseller: ACME },
		answer: 'The further tokens.',
		data: FurtherTokens,
		dataExample: [
			{
				...{ id: TOKEN_ID, name: 'shop', scopes: ['read', 'money'], allowed_ips: ['192.0.2.0/24'], tail: 'x4Kd' },
				...{ made_by: ANN, expires_at: '2027-06-30T22:00:00.000Z', last_used: null, date_created: EXAMPLE_TIME },
			},
		],
		failures: ['unknown_reseller'],
	}),
	endToken: operation({
		path: '/tokens/end',
		scope: 'tokens:write',
		isChange: true,
		tag: 'Tokens',
		summary: 'End a further token of a reseller',
		description: 'Refuses one further token of the reseller from now on. The others stay.',
		request: Type.Object(
			{ reseller: SentReseller, id: TokenId },
			{ description: 'Names one token. Other fields are ignored.' },
		),
		requestExample: { reseller: ACME, id: TOKEN_ID },
		answer: 'The reseller, and the id of the token.',
		data: answer({ reseller: Reseller, id: TokenId }, 'The token that was ended.'),
		dataExample: { reseller: ACME, id: TOKEN_ID },
		failures: ['unknown_token'],
	}),
};
