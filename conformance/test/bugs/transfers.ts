import { setTimeout } from 'node:timers/promises';
import { type Endpoint, endpoints, MAX_CENTS } from '@bursar/contract';
import { type Bugs, onAmount, onAnswer } from '../support/bug.ts';
import {
	asFailure,
	ask,
	asSuccess,
	balanceOf,
	dataOf,
	isCallOf,
	isDuplicated,
	jsonOf,
	withData,
	withJson,
} from '../support/differences.ts';
import type { Difference } from '../support/wrong-server.ts';

const { giveBalance, myInfo, takeBalance, viewSubUser } = endpoints;

/** How long a slow call takes. */
const SLOW_MS = 10;

/** Bugs with amounts and transfers. */
export const transferBugs: Bugs = {
	'the balance in the answer of give_balance is off by one': {
		failing: [
			'amounts.by-value',
			'transfers.add-up-at-the-same-time',
			'transfers.give',
			'transfers.racing-gives',
			'transfers.whole-balance',
		],
		difference: onAnswer(giveBalance, (data) => ({ ...data, balance: data.balance + 1 })),
	},
	'a large give answers the balance from before': {
		failing: ['transfers.racing-gives', 'transfers.whole-balance'],
		difference: () => fromBefore(giveBalance, -1),
	},
	'a large take answers the balance from before': {
		failing: ['transfers.whole-balance'],
		difference: () => fromBefore(takeBalance, 1),
	},
	'several gives at the same time answer the same balance': {
		failing: ['transfers.add-up-at-the-same-time'],
		difference: () => wrongAtTheSameTime(giveBalance, () => 3),
	},
	'give_balance answers success beyond the balance': {
		failing: ['transfers.beyond-the-resellers-balance', 'transfers.racing-gives'],
		after({ request, reply }) {
			if (!isCallOf(request, giveBalance) || reply.status !== 402) return reply;
			const { username, amount_usd_cents } = jsonOf(request);
			return asSuccess(reply, { username, balance: amount_usd_cents });
		},
	},
	'take_balance takes the whole balance if the amount is larger': {
		failing: ['transfers.beyond-the-sub-users-balance', 'transfers.racing-takes'],
		async after({ request, reply, forward }) {
			if (!isCallOf(request, takeBalance) || reply.status !== 402) return reply;
			const { username } = jsonOf(request);
			const held = await dataOf(ask(request, viewSubUser, { username }), forward);
			if (held.balance > 0) return forward(ask(request, takeBalance, { username, amount_usd_cents: held.balance }));
			return reply;
		},
	},
	'amounts in strings are converted': {
		failing: ['amounts.strings'],
		difference: onAmount((amount) => (typeof amount === 'string' && /^\d+$/.test(amount) ? Number(amount) : amount)),
	},
	'true counts as an amount of 1': {
		failing: ['amounts.other-types'],
		difference: onAmount((amount) => (amount === true ? 1 : amount)),
	},
	'fractions of amounts are truncated': {
		failing: ['amounts.fractions'],
		difference: onAmount((amount) => (typeof amount === 'number' ? Math.trunc(amount) : amount)),
	},
	'negative amounts count without the sign': {
		failing: ['amounts.below-one'],
		difference: onAmount((amount) =>
			typeof amount === 'number' && amount < -1e-9 && amount > -1e6 ? -amount : amount,
		),
	},
	'the last of two duplicate keys counts': {
		failing: ['bodies.duplicate-keys'],
		async call({ request, forward }) {
			const body = isCallOf(request, giveBalance) ? jsonOf(request) : undefined;
			return forward(
				body && !('__proto__' in body && Object.hasOwn(body, '__proto__')) && isDuplicated(request.body)
					? withJson(request, body)
					: request,
			);
		},
	},
	'the balance in the answer of take_balance is off by one': {
		failing: ['amounts.by-value', 'transfers.racing-takes', 'transfers.take', 'transfers.whole-balance'],
		difference: onAnswer(takeBalance, (data) => ({ ...data, balance: data.balance + 1 })),
	},
	'the last cent cannot be given': {
		failing: ['transfers.whole-balance'],
		async call({ request, forward }) {
			const isGive = isCallOf(request, giveBalance);
			if (!isGive || jsonOf(request)?.amount_usd_cents !== (await balanceOf(request, forward))) return forward(request);
			return asFailure(await forward(ask(request, myInfo)), 402, 'insufficient_balance');
		},
	},
	'gives are refused while another one is in progress': {
		failing: ['transfers.add-up-at-the-same-time'],
		difference: () => {
			let underWay = 0;
			return {
				async call(request, forward) {
					if (!isCallOf(request, giveBalance)) return forward(request);
					if (underWay > 0) return asFailure(await forward(ask(request, myInfo)), 402, 'insufficient_balance');
					underWay++;
					return forward(request).finally(() => underWay--);
				},
			};
		},
	},
	'concurrent reads show an old balance': {
		failing: ['transfers.are-read-afterwards'],
		difference: () => wrongAtTheSameTime(viewSubUser, (balance) => balance - 1),
	},
	'amounts that are too large count as the largest amount': {
		failing: ['amounts.unsafe-integers'],
		difference: onAmount((amount) => (typeof amount === 'number' ? Math.min(amount, MAX_CENTS) : amount)),
	},
	'numbers that are not valid JSON are accepted': {
		failing: ['amounts.no-json'],
		call({ request, forward }) {
			const text = request.body.toString('utf8').replace(/:(?:\+5|05|0x5|5\.)\}/, ':5}');
			return forward({ ...request, body: Buffer.from(text) });
		},
	},
};

/** Transfers of more than a dollar answer the balance from before. */
function fromBefore(endpoint: Endpoint, sign: 1 | -1): Difference {
	return {
		async call(request, forward) {
			const reply = await forward(request);
			const cents = isCallOf(request, endpoint) ? jsonOf(request)?.amount_usd_cents : undefined;
			const isLarge = typeof cents === 'number' && cents > 100;
			return isLarge ? withData(reply, (data) => ({ ...data, balance: data.balance + sign * cents })) : reply;
		},
	};
}

/** Answers another balance to each call that arrives while a previous one is under way. */
function wrongAtTheSameTime(endpoint: Endpoint, balanceOf: (balance: number) => number): Difference {
	let underWay = 0;
	return {
		async call(request, forward) {
			if (!isCallOf(request, endpoint)) return forward(request);
			const isLate = ++underWay > 1;
			// Otherwise a call may end before the next one, sent at the same time, has arrived.
			await setTimeout(SLOW_MS);
			const reply = await forward(request).finally(() => underWay--);
			return isLate ? withData(reply, (data) => ({ ...data, balance: balanceOf(data.balance) })) : reply;
		},
	};
}
