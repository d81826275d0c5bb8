import type { Overview } from '@bursar/contract/dashboard';
import { readAfterChange } from '../calls/after-change.ts';
import { resellerOf } from '../calls/call.ts';
import type { Calls } from '../calls/calls.ts';
import { ownChange } from '../calls/own-change.ts';
import { refusedBy } from '../calls/refusals.ts';
import { timeOrNull } from '../calls/times.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { readReseller } from './accounts.ts';
import { createMetering } from './metering.ts';
import { readPairState } from './pair-states.ts';

interface OverviewDependencies extends Pick<DashboardDependencies, 'store' | 'accounts' | 'bank' | 'nowMs'> {
	readonly sessions: Sessions;
}

/** The business of a reseller at a glance: its balance, and how long it lasts. */
export function overviewRoutes(calls: Calls, dependencies: OverviewDependencies): void {
	const { store, accounts, bank, sessions, nowMs } = dependencies;
	const metering = createMetering(dependencies);

	async function readOverview(reseller: string): Promise<{ readonly data: Overview }> {
		const [{ balanceCents }, lowBalance, price, debt, pair] = await Promise.all([
			readReseller(accounts, reseller),
			store.findLowBalance(reseller),
			store.findPrice(reseller),
			store.findDebt(reseller),
			readPairState(store, { reseller, username: reseller, atMs: nowMs() }),
		]);
		if (!pair || !debt) throw new Error('the reseller of a person has no account');
		const shown = { reseller, balance: balanceCents, low_balance: lowBalance, price: price?.microUsdPerGb ?? null };
		return { data: { ...shown, debt: debt.cents, debt_line: debt.lineCents, pair: pair.state } };
	}

	calls.read('/suspension', async (_query, call) => ({
		data: { since: timeOrNull((await store.findOwnTerms(resellerOf(call))).suspendedAtMs) },
	}));

	calls.read('/overview', async (_query, call) => readOverview(resellerOf(call)));

	calls.read('/metering', async (_query, call) => ({ data: await metering(resellerOf(call)) }));

	calls.change('/overview/low-balance', async ({ act, low_balance, mail }, call) => {
		const target = low_balance === null ? '' : String(low_balance);
		const outcome = await bank.changePerson({
			kind: 'set_low_balance',
			...ownChange(call, sessions, { act, kind: 'set_low_balance', target }),
			lowBalanceCents: low_balance,
			wantsMail: mail,
		});
		return outcome.ok ? readAfterChange(() => readOverview(resellerOf(call))) : refusedBy(outcome);
	});
}
