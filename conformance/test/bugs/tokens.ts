import { allEndpoints } from '@bursar/contract';
import type { Exchange } from '@bursar/testing/http-relay';
import { type Bugs, onAnswer } from '../support/bug.ts';
import { asFailure, ask, isCallOf, jsonOf, withHeader, withJson, withToken } from '../support/differences.ts';

const { createSubUser, createToken, endToken, viewAllTokens } = allEndpoints;

/** Bugs in the further tokens of a reseller. */
export const tokenBugs: Bugs = {
	'a further token may do everything': {
		failing: ['tokens.scopes'],
		async call({ request, forward, acme }) {
			const reply = await forward(request);
			return reply.headers['x-error-code'] === 'missing_scope' ? forward(withToken(request, acme.token)) : reply;
		},
		// The answers to the creates that it should not make say that their fees were charged.
		perhaps: ['spending.every-cent'],
	},
	'a create that a token may not make costs its fee': {
		failing: ['tokens.scopes'],
		perhaps: ['spending.every-cent'],
		async call({ request, forward, acme }) {
			const reply = await forward(request);
			const isRefused = reply.headers['x-error-code'] === 'missing_scope' && isCallOf(request, createSubUser);
			if (isRefused) await forward(withToken(request, acme.token));
			return reply;
		},
	},
	'a refusal does not say which scope is missing': {
		failing: ['tokens.scopes'],
		async after({ reply }) {
			if (reply.headers['x-error-code'] !== 'missing_scope') return reply;
			const challenge = reply.headers['www-authenticate'];
			return withHeader(asFailure(reply, 403, 'missing_scope'), 'www-authenticate', String(challenge));
		},
	},
	'a token that was ended goes on': {
		failing: ['tokens.life'],
		async call({ request, forward, acme, bolt }) {
			const reply = await forward(request);
			const isOther = ![acme, bolt].some(({ token }) => request.headers.authorization === `Bearer ${token}`);
			return reply.status === 401 && isOther ? forward(withToken(request, acme.token)) : reply;
		},
	},
	'the list tells the tokens': {
		failing: ['tokens.life'],
		difference: onAnswer(viewAllTokens, (data) =>
			data.map((each: object) => ({ ...each, token: `brs_${'x'.repeat(46)}` })),
		),
	},
	'addresses are ignored': {
		failing: ['tokens.addresses'],
		call: ({ request, forward }) => forward(isCallOf(request, createToken) ? anywhere(request) : request),
		perhaps: ['tokens.wrong-fields', 'tokens.scopes', 'tokens.life'],
	},
	'a token may have no end and no scopes': {
		failing: ['tokens.wrong-fields'],
		async call({ request, forward }) {
			const reply = await forward(request);
			if (reply.headers['x-error-code'] !== 'invalid_token') return reply;
			const good = { scopes: ['read'], expires_at: new Date(Date.now() + 3_600_000).toISOString() };
			const made = await forward(ask(request, createToken, { ...jsonOf(request), name: 'wrong', ...good }));
			if (made.status === 200) await forward(ask(request, endToken, { id: JSON.parse(made.body).data.id }));
			return made;
		},
	},
};

function anywhere(request: Exchange): Exchange {
	const { allowed_ips: _, ...others } = jsonOf(request) ?? {};
	return withJson(request, others);
}
