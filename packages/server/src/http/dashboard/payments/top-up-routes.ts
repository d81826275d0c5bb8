import { CALLS, moneyTarget, refusalOfRight } from '@bursar/contract/dashboard';
import type { TopUp } from '@bursar/contract/payment-schemas';
import { isTransferAmount } from '../../../domain/money.ts';
import type { Payment } from '../../../domain/payments/payment.ts';
import { topUpView } from '../../top-up-view.ts';
import { type PersonCall, resellerOf } from '../calls/call.ts';
import type { Calls } from '../calls/calls.ts';
import { ownChange } from '../calls/own-change.ts';
import { refusedBy } from '../calls/refusals.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { offeredProviders, pageOfPayments } from './payment-page.ts';

/** @bound Payments that wait for money, on a reseller's page of payments: the newest are shown. Those that wait for ever may be more than a reseller may begin. */
const SHOWN_WAITING = 100;

interface TopUpDependencies extends Pick<DashboardDependencies, 'store' | 'topUps'> {
	readonly sessions: Sessions;
}

/** The payments of a reseller through providers. The session says which reseller's. */
export function topUpRoutes(calls: Calls, { store, topUps, sessions }: TopUpDependencies): void {
	const { minCents, maxCents } = topUps.bounds;

	calls.read('/top-ups', async (position, call) => {
		const reseller = resellerOf(call);
		const page = await pageOfPayments(store, { reseller, only: 'past' }, position);
		if (!page) return { refused: 'invalid_query' };
		const waiting = await store.listPayments({ reseller, only: 'waiting', limit: SHOWN_WAITING });
		return {
			data: {
				...{ providers: offeredProviders(topUps), min: minCents, max: maxCents },
				waiting: waiting.map((payment) => viewFor(call, payment)),
				past: page.rows.map((payment) => viewFor(call, payment)),
				...{ next: page.next, previous: page.previous },
			},
		};
	});

	calls.read('/top-ups/view', async ({ id }, call) => {
		const reseller = resellerOf(call);
		const payment = await store.findPayment(id, reseller);
		if (payment?.reseller !== reseller) return { refused: 'unknown_payment' };
		return { data: viewFor(call, payment) };
	});

	calls.change('/top-ups/create', async ({ act, provider, amount }, call) => {
		// What is recorded names it.
		if (!isTransferAmount(amount)) return { refused: 'invalid_amount' };
		const reseller = resellerOf(call);
		const done = { act, kind: 'create_top_up', target: moneyTarget(reseller, amount) } as const;
		const outcome = await topUps.begin({
			...{ reseller, requestId: call.request.id, act: ownChange(call, sessions, done).act },
			...{ provider, amountCents: amount },
		});
		if (outcome.ok) return { data: viewFor(call, outcome.payment) };
		return refusedBy(outcome);
	});
}

/** Who may begin no payment gets no address at which one can be paid. */
function viewFor({ caller }: PersonCall, payment: Payment): TopUp {
	const view = topUpView(payment);
	const mayPay = refusalOfRight(caller.record.person, CALLS['/top-ups/create'].right) === undefined;
	return mayPay ? view : { ...view, url: null };
}
