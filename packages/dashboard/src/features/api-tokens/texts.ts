import { MAX_OPERATOR_TOKENS } from '@bursar/contract/limits';
import type { OperatorScope } from '@bursar/contract/scopes';
import { textsWith } from '../../preferences/catalogue.ts';

const VALUES = { mostTokens: String(MAX_OPERATOR_TOKENS), setting: 'BURSAR_OPERATOR_PORT', api: '/operator/v1' };

export const apiTokensTexts = textsWith('apiTokensTexts', VALUES, {
	lead: 'For your own programs, such as billing: with such a token they call the operator’s API. Each may do only what its scopes say.',
	none: 'There is no token yet. Create one for each program that shall do an operator’s work.',
	full: 'There are {mostTokens} tokens already. End one first.',

	api: 'The operator’s API',
	apiLead: 'It listens on a port of its own. Its paths begin with {api}.',
	address: 'Base address, as the service listens',
	off: 'The API is off',
	switchOn:
		'Set {setting} in the settings of the service, and start it again. You can create tokens before that; no program can use them yet.',

	scopesHint: 'Choose as little as possible.',
	resources: {
		resellers: 'Resellers',
		money: 'Money',
		prices: 'Prices',
		tokens: 'Tokens of resellers',
		people: 'People of resellers',
		edges: 'Edges',
		usage: 'Bandwidth',
	},
	scopes: {
		'resellers:read': 'Read resellers, their statements, tokens and sub-users, without secrets',
		'resellers:write': 'Create resellers, which tells their tokens; suspend and resume them; write notes about them',
		'money:write': 'Credit resellers, take money back, forgive debts, begin payments',
		'prices:write': 'Set prices and debt lines',
		'tokens:write': 'End all tokens of a reseller, and get a new one',
		'people:write': 'Invite, lock and remove people of resellers; never operators',
		'edges:read': 'Read edges, and what each has reported',
		'edges:write': 'Create and revoke edges, which tells their links and keys',
		'usage:read': 'Read bandwidth',
		'usage:write': 'Correct bandwidth',
	} as const satisfies Record<OperatorScope, string>,
	warningTitle: 'With this, a program gets whatever any reseller has',
	warnings: {
		'tokens:write':
			'Whoever ends the tokens of a reseller gets the new one. It moves the money of this reseller, and reads the keys of all its sub-users.',
		'people:write':
			'Whoever invites an owner into a reseller can sign in as that owner, and make a token there. It moves the money of this reseller, and reads the keys of all its sub-users.',
	},
});
