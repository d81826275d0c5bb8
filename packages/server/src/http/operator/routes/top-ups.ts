import { MAX_OPERATOR_PAGE_ROWS } from '@bursar/contract/limits';
import { PROGRAMS } from '../../../store/reading.ts';
import { readTopUpPage } from '../../top-up-page.ts';
import { operatorTopUpView } from '../../top-up-view.ts';
import type { Calls } from '../calls.ts';
import type { OperatorDependencies } from '../dependencies.ts';
import { findReseller } from '../find-reseller.ts';
import { refusedBy } from '../refusals.ts';

/** Payments of resellers through payment providers. */
export function topUpCalls(calls: Calls, { accounts }: Pick<OperatorDependencies, 'accounts'>): void {
	calls.answer('createTopUp', async ({ username, provider, amount_usd_cents: amountCents }, call) => {
		const { username: reseller } = (await findReseller(accounts, username)) ?? {};
		if (reseller === undefined) return { refused: 'unknown_reseller' };
		const outcome = await call.beginTopUp({ reseller, provider, amountCents });
		if (outcome.ok) return { data: operatorTopUpView(outcome.payment) };
		return outcome.error === 'suspended' ? { refused: 'suspended' } : refusedBy({ ...outcome, error: outcome.error });
	});

	calls.answer('viewTopUpPage', async ({ username, id, after = null, limit = MAX_OPERATOR_PAGE_ROWS, only }) => {
		const account = username === undefined ? undefined : await findReseller(accounts, username);
		if (username !== undefined && !account) return { refused: 'unknown_reseller' };
		const wanted = { reseller: account?.username, id, after, limit, only, owner: PROGRAMS };
		const page = await readTopUpPage(accounts, wanted);
		if (!page) return { refused: 'invalid_request', message: WRONG_AFTER };
		return { data: { top_ups: page.payments.map(operatorTopUpView), next: page.next } };
	});

	calls.answer('readTopUp', async ({ id }, call) => {
		const { reseller } = (await accounts.findPayment(id, PROGRAMS)) ?? {};
		if (reseller === undefined) return { refused: 'unknown_payment' };
		const outcome = await call.submit({ kind: 'ask_payment_read', reseller, payment: id });
		return outcome.ok ? { data: { id } } : refusedBy(outcome);
	});
}

const WRONG_AFTER = 'the field after of the request body must be the next of the previous page, or null';
