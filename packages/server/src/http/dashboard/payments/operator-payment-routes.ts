import { OPERATORS } from '../../../store/reading.ts';
import { operatorTopUpView } from '../../top-up-view.ts';
import { findReseller } from '../business/accounts.ts';
import { readAfterChange } from '../calls/after-change.ts';
import type { Reply } from '../calls/call.ts';
import type { Calls } from '../calls/calls.ts';
import { ownChange } from '../calls/own-change.ts';
import { refusedBy } from '../calls/refusals.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { offeredProviders, pageOfPayments } from './payment-page.ts';

interface PaymentDependencies extends Pick<DashboardDependencies, 'store' | 'accounts' | 'bank' | 'topUps'> {
	readonly sessions: Sessions;
}

/** The payments of all resellers through providers, for operators. */
export function operatorPaymentRoutes(
	calls: Calls,
	{ store, accounts, bank, topUps, sessions }: PaymentDependencies,
): void {
	calls.read('/operator/payments', async ({ reseller: typedName, only, ...position }) => {
		const account = typedName === undefined ? undefined : await findReseller(accounts, typedName);
		if (typedName !== undefined && !account) return { refused: 'unknown_reseller' };
		const of = { reseller: account?.username };
		const page = await pageOfPayments(store, { ...of, only, owner: OPERATORS }, position);
		if (!page) return { refused: 'invalid_query' };
		return {
			data: {
				providers: offeredProviders(topUps),
				payments: page.rows.map(operatorTopUpView),
				...{ next: page.next, previous: page.previous },
				findings: await store.countPaymentsWithFindings(of),
			},
		};
	});

	async function readView(id: string): Promise<Reply<ReturnType<typeof operatorTopUpView>>> {
		const payment = await store.findPayment(id);
		return payment ? { data: operatorTopUpView(payment) } : { refused: 'unknown_payment' };
	}

	calls.read('/operator/payment', async ({ id }) => readView(id));

	calls.change('/operator/payments/read', async ({ act, id }, call) => {
		const payment = await store.findPayment(id);
		if (!payment) return { refused: 'unknown_payment' };
		const outcome = await bank.submit({
			...{ kind: 'ask_payment_read', reseller: payment.reseller, payment: id, requestId: call.request.id },
			act: ownChange(call, sessions, { act, kind: 'ask_payment_read', target: id }).act,
		});
		return outcome.ok ? readAfterChange(() => readView(id)) : refusedBy(outcome);
	});
}
