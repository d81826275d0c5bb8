import type { Overview } from '@bursar/contract/dashboard';
import { usd } from '@bursar/contract/usd';
import { usageShownDays } from '../../../domain/usage.ts';
import { readAfterChange } from '../calls/after-change.ts';
import { resellerOf } from '../calls/call.ts';
import type { Calls } from '../calls/calls.ts';
import { ownChange } from '../calls/own-change.ts';
import { refusedBy } from '../calls/refusals.ts';
import { timeOrNull } from '../calls/times.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import { dayOf } from '../files/csv-values.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { findSubUserName, readReseller } from './accounts.ts';
import { daysOf, readBandwidth } from './bandwidth.ts';
import { createMetering } from './metering.ts';
import { createTopLists } from './top-lists.ts';

interface OverviewDependencies extends Pick<DashboardDependencies, 'store' | 'accounts' | 'bank' | 'nowMs'> {
	readonly sessions: Sessions;
}

/** The business of a reseller at a glance: balance and bandwidth. */
export function overviewRoutes(calls: Calls, dependencies: OverviewDependencies): void {
	const { store, accounts, bank, sessions, nowMs } = dependencies;
	const topSubUsers = createTopLists(dependencies);
	const metering = createMetering(dependencies);

	async function readOverview(reseller: string): Promise<{ readonly data: Overview }> {
		const [{ balanceCents }, lowBalance, price] = await Promise.all([
			readReseller(accounts, reseller),
			store.findLowBalance(reseller),
			store.findPrice(reseller),
		]);
		return { data: { reseller, balance: balanceCents, low_balance: lowBalance, price: price?.microUsdPerGb ?? null } };
	}

	calls.read('/suspension', async (_query, call) => ({
		data: { since: timeOrNull(await store.findSuspension(resellerOf(call))) },
	}));

	calls.read('/overview', async (_query, call) => readOverview(resellerOf(call)));

	calls.read('/metering', async (_query, call) => ({ data: await metering(resellerOf(call)) }));

	calls.change('/overview/low-balance', async ({ act, low_balance }, call) => {
		const target = low_balance === null ? '' : String(low_balance);
		const outcome = await bank.changePerson({
			kind: 'set_low_balance',
			...ownChange(call, sessions, { act, kind: 'set_low_balance', target }),
			lowBalanceCents: low_balance,
		});
		return outcome.ok ? readAfterChange(() => readOverview(resellerOf(call))) : refusedBy(outcome);
	});

	calls.read('/bandwidth', async ({ days, username }, call) => {
		const reseller = resellerOf(call);
		const subUser = username === undefined ? undefined : await findSubUserName(dependencies, reseller, username);
		if (username !== undefined && subUser === undefined) return { refused: 'unknown_sub_user' };
		return { data: await readBandwidth({ reseller, username: subUser, days }, dependencies) };
	});

	calls.read('/bandwidth/top', async ({ days }, call) => ({
		data: await topSubUsers(resellerOf(call), days),
	}));

	calls.file('/bandwidth.csv', async ({ username }, call) => {
		const reseller = resellerOf(call);
		const subUser = await findSubUserName(dependencies, reseller, username);
		if (subUser === undefined) return { refused: 'unknown_sub_user' };
		const { firstDay, lastDay } = usageShownDays(nowMs());
		let isRead = false;
		const readNext = async () => {
			if (isRead) return undefined;
			const [used, costs] = await Promise.all([
				accounts.listUsageDays(reseller, subUser, firstDay, lastDay),
				store.listCostDays({ reseller, username: subUser, firstDay, lastDay }),
			]);
			isRead = true;
			const days = daysOf(used, costs, { firstDay, lastDay });
			return days.map(({ date, up, down, cost }) => [date.slice(0, 10), up, down, usd(cost)]);
		};
		return {
			data: {
				name: `bandwidth-${subUser}-${dayOf(nowMs())}`,
				columns: ['day (UTC)', 'up (bytes)', 'down (bytes)', 'cost (USD)'],
				readNext,
			},
		};
	});
}
