import { allEndpoints, endpoints } from '@bursar/contract';
import { type Bugs, onAnswer } from '../support/bug.ts';
import { asFailure, isCallOf, jsonOf, withData, withJson, withToken } from '../support/differences.ts';

const { createTopUp, viewTopUpPage } = allEndpoints;

/** Bugs in payments through a payment provider. */
export const topUpBugs: Bugs = {
	'a payment is in the balance before it is paid': {
		failing: ['top-ups.begin'],
		difference() {
			let addedCents = 0;
			return {
				async call(request, forward) {
					const reply = await forward(request);
					if (isCallOf(request, createTopUp) && reply.status === 200) addedCents += JSON.parse(reply.body).data.amount;
					if (!isCallOf(request, endpoints.myInfo)) return reply;
					return withData(reply, (data) => ({ ...data, balance: data.balance + addedCents }));
				},
			};
		},
		perhaps: ['spending.every-cent'],
	},
	'a payment is credited at once': {
		failing: ['top-ups.begin'],
		difference: onAnswer(createTopUp, (data) => ({ ...data, credited: data.amount })),
	},
	'a change id begins a payment each time': {
		failing: ['top-ups.begin'],
		call({ request, forward }) {
			const { 'x-change-id': _, ...headers } = request.headers;
			return forward(isCallOf(request, createTopUp) ? { ...request, headers } : request);
		},
		perhaps: ['top-ups.foreign'],
	},
	'an amount is rounded, and text is taken for a number': {
		failing: ['top-ups.wrong-fields'],
		call({ request, forward }) {
			const sent = isCallOf(request, createTopUp) ? jsonOf(request) : undefined;
			const cents = Math.round(Number(sent?.amount_usd_cents));
			const isOther = sent !== undefined && cents >= 1_000 && cents !== sent.amount_usd_cents;
			return forward(isOther ? withJson(request, { ...sent, amount_usd_cents: cents }) : request);
		},
	},
	'an unknown provider counts as one that is off': {
		failing: ['top-ups.wrong-fields'],
		async call({ request, forward }) {
			const reply = await forward(request);
			const isUnknown = isCallOf(request, createTopUp) && jsonOf(request)?.provider === 'nobody';
			return isUnknown ? asFailure(reply, 409, 'provider_off') : reply;
		},
	},
	'every reseller sees all payments': {
		failing: ['top-ups.foreign'],
		call({ request, forward, acme }) {
			return forward(isCallOf(request, viewTopUpPage) ? withToken(request, acme.token) : request);
		},
	},
};
