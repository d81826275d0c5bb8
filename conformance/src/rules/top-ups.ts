import { randomUUID } from 'node:crypto';
import { allEndpoints, CHANGE_ID_HEADER } from '@bursar/contract';
import {
	expectAccepted,
	expectArray,
	expectEqual,
	expectFailure,
	expectFields,
	expectForm,
	fieldOf,
	isAccepted,
	NotTestable,
} from '../expect.ts';
import type { Rule } from '../run/rule.ts';
import type { Answer } from '../wire/answer.ts';
import type { ResellerApi } from '../wire/reseller-api.ts';

const { createTopUp, viewChange, viewTopUpPage } = allEndpoints;
const FIELDS = [
	...['id', 'provider', 'state', 'amount', 'credited', 'refunded', 'disputed'],
	...['url', 'expires_at', 'timestamp', 'change_id'],
];
const PROVIDERS = ['stripe', 'btcpay'] as const;
/** What operators may accept, in cents. */
const AMOUNTS = [1_000, 5_000, 100_000];
/** The reseller or the operator does not let the suite begin a payment now. */
const NOT_NOW: readonly unknown[] = ['provider_off', 'amount_out_of_bounds', 'too_many_payments'];

const WRONG = [
	...(['1000', null, true, [1_000]] as const).map(
		(amount) => ['invalid_request', { amount_usd_cents: amount }] as const,
	),
	...([0, -1_000, 1_000.5, 2 ** 53] as const).map(
		(amount) => ['invalid_amount', { amount_usd_cents: amount }] as const,
	),
	...(['', 'nobody', null, 5] as const).map((provider) => ['invalid_request', { provider }] as const),
] as const;

/** Payments through a payment provider, which nobody pays: so they add nothing. */
export const topUpRules: readonly Rule[] = [
	{
		name: 'top-ups.begin',
		basis: 'bursar',
		guarantee:
			'A payment is begun once for each X-Change-Id, adds nothing before it is paid, and is on the page of its reseller.',
		source: 'docs/api.md 14.1 Begin a payment; docs/api.md 14.2 The payment; docs/api.md 10.5 Change ids',
		async check({ api }) {
			const before = await api.balance();
			const { answer, body, change_id } = await beginPayment(api);
			const payment = expectFields('the new payment', answer.data, FIELDS);
			const { id, provider, amount, credited, refunded, disputed } = payment;
			expectForm('its id', id, /^pay_[0-9A-Za-z]{22}$/, 'pay_ and 22 letters and digits');
			expectEqual('what is asked for', [provider, amount], [body.provider, body.amount_usd_cents]);
			expectEqual('what is credited, refunded and disputed', [credited, refunded, disputed], [0, 0, 0]);
			expectEqual('its change', payment.change_id, change_id);
			const other = { ...body, amount_usd_cents: body.amount_usd_cents + 1 };
			for (const again of [body, other]) {
				const headers = { [CHANGE_ID_HEADER]: change_id };
				expectFailure(await api.call(createTopUp, { body: again, headers }), 409, 'change_repeated');
			}
			const told = expectAccepted(await api.call(viewChange, { body: { change_id } }));
			const seen = ['kind', 'amount', 'username', 'balance'].map((name) => fieldOf(told, name));
			expectEqual(`the look for ${answer.asked}`, seen, ['create_top_up', body.amount_usd_cents, null, null]);
			const listed = await paymentsOf(api, {});
			const own = listed.filter((each) => fieldOf(each, 'change_id') === change_id);
			expectEqual('the payments of this change', own.map(idOf), [id]);
			expectEqual('the payment with its id', (await paymentsOf(api, { id })).map(idOf), [id]);
			expectEqual('cents that were added', (await api.balance()) - before, 0);
		},
	},
	{
		name: 'top-ups.wrong-fields',
		basis: 'bursar',
		guarantee: 'A payment of an amount that is no whole number of cents, or through an unknown provider, is not begun.',
		source: 'docs/api.md 14.1 Begin a payment; docs/api.md 4.2 Status and code',
		async check({ api }) {
			const before = (await paymentsOf(api, {})).map(idOf);
			const good = { provider: PROVIDERS[0], amount_usd_cents: AMOUNTS[0] };
			for (const [code, fields] of WRONG) {
				const answer = await api.call(createTopUp, { body: { ...good, ...fields } });
				expectFailure(answer, 400, code, `sent with ${JSON.stringify(fields)}`);
			}
			for (const body of [{}, { provider: good.provider }, { amount_usd_cents: good.amount_usd_cents }]) {
				expectFailure(await api.call(createTopUp, { body }), 400, 'invalid_request', 'without a field');
			}
			for (const body of [{ only: 'all' }, { limit: 0 }, { after: 5 }, { id: 5 }]) {
				expectFailure(await api.call(viewTopUpPage, { body }), 400, 'invalid_request', JSON.stringify(body));
			}
			expectEqual('the payments afterwards', (await paymentsOf(api, {})).map(idOf), before);
		},
	},
	{
		name: 'top-ups.foreign',
		basis: 'bursar',
		guarantee: 'No reseller sees the payments of another one.',
		source: 'docs/api.md 14.3 Page of payments',
		needs: ['second-reseller'],
		async check({ api, second }) {
			const { answer } = await beginPayment(api);
			const id = idOf(answer.data);
			const other = second().api;
			expectEqual('the payment with the id of another reseller', await paymentsOf(other, { id }), []);
			const shared = (await paymentsOf(other, {})).map(idOf).filter((each) => each === id);
			expectEqual('payments that both resellers see', shared, []);
			const behind = await other.call(viewTopUpPage, { body: { after: id } });
			expectFailure(behind, 400, 'invalid_request', 'behind the payment of another reseller');
		},
	},
];

/** Begins a payment with a change id, through a provider that is on. Throws `NotTestable` if that cannot be. */
async function beginPayment(api: ResellerApi) {
	await paymentsOf(api, { limit: 1 });
	let refusal: Answer | undefined;
	for (const provider of PROVIDERS) {
		for (const amount_usd_cents of AMOUNTS) {
			const change_id = randomUUID();
			const body = { provider, amount_usd_cents };
			const answer = await api.call(createTopUp, { body, headers: { [CHANGE_ID_HEADER]: change_id } });
			if (isAccepted(answer)) return { answer, body, change_id };
			if (!NOT_NOW.includes(answer.errorCode)) expectAccepted(answer);
			refusal = answer;
		}
	}
	throw new NotTestable(`the service takes no payment now: ${refusal?.asked} was answered ${refusal?.errorCode}`);
}

/** Throws `NotTestable` if the service does not offer payments. */
async function paymentsOf(api: ResellerApi, body: object): Promise<readonly unknown[]> {
	const answer = await api.call(viewTopUpPage, { body });
	if (answer.errorCode !== 'internal_error' && [404, 405, 410, 501].includes(answer.status)) {
		throw new NotTestable(`the service does not offer it: ${answer.asked} was answered ${answer.status}`);
	}
	return expectArray(answer.asked, fieldOf(expectAccepted(answer), 'top_ups'));
}

function idOf(payment: unknown): unknown {
	return fieldOf(payment, 'id');
}
