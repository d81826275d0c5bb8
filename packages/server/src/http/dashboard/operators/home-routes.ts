import type { LedgerHealth, MoneyDay, PlatformMoney, ReportsDay, ServiceHealth } from '@bursar/contract/dashboard';
import { type Edge, isSilent, SILENT_MS } from '../../../domain/edge.ts';
import { startOfDayMs, usageDayOf } from '../../../domain/usage.ts';
import type { UsageVerdictCount } from '../../../store/tables/usage/reads.ts';
import { WEEK_DAYS } from '../business/metering.ts';
import { createReadCache } from '../business/read-cache.ts';
import type { Calls } from '../calls/calls.ts';
import { time, timeOrNull } from '../calls/times.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import { type LedgerDay, type ReadLedgerDays, sumOfKind } from './ledger-days.ts';
import { readLedgerHealth } from './ledger-health.ts';
import { refusedView } from './refused-sub-users.ts';
import { runningLow } from './running-low.ts';

const SHOWN_DAYS = 30;
const DAY_MS = 86_400_000;
/** @bound Silent edges that the start page shows: the rest is left out. */
const SILENT_SHOWN = 10;

interface HomeDependencies extends Pick<DashboardDependencies, 'store' | 'makesBackups' | 'topUps' | 'nowMs'> {
	readonly readLedgerDays: ReadLedgerDays;
}

/** The service at a glance, for operators. */
export function operatorHomeRoutes(calls: Calls, dependencies: HomeDependencies): void {
	const { store, makesBackups, topUps, nowMs } = dependencies;
	const readMoney = createPlatformMoney(dependencies);

	calls.read('/operator/health', async () => {
		const now = nowMs();
		const lastDay = usageDayOf(now);
		const firstDay = lastDay - (SHOWN_DAYS - 1);
		const [edges, verdicts, ledger, payments, state] = await Promise.all([
			store.listEdges(),
			store.listUsageVerdicts(firstDay),
			readLedgerHealth(dependencies),
			readPayments(now),
			store.readState(),
		]);
		return {
			data: {
				store_made: time(state.madeAtMs),
				edges: edgesView(edges, now),
				reports: Array.from({ length: SHOWN_DAYS }, (_, index) => reportsOf(verdicts, firstDay + index)),
				ledger: ledgerView(ledger),
				payments,
				backup: makesBackups ? { is_ours: true, last: timeOrNull(state.lastBackupAtMs ?? null) } : { is_ours: false },
			},
		};
	});

	async function readPayments(atMs: number): Promise<ServiceHealth['payments']> {
		const [findings, failing] = await Promise.all([
			store.countPaymentsWithFindings({ sinceMs: atMs - SHOWN_DAYS * DAY_MS }),
			store.countFailingPayments(atMs),
		]);
		return topUps.providers.length + findings + failing === 0 ? null : { findings, failing };
	}

	calls.read('/operator/money', async () => ({ data: await readMoney('', 'all') }));
}

function createPlatformMoney({ store, readLedgerDays, nowMs }: HomeDependencies) {
	return createReadCache<PlatformMoney, 'all'>({
		nowMs,
		async read(_owner, _variant, readAtMs) {
			const lastDay = usageDayOf(readAtMs);
			const firstDay = firstShownDay(readAtMs);
			const week = { firstDay: lastDay - (WEEK_DAYS - 1), lastDay };
			const holdings = await store.listHoldings(week);
			const ledgerDays = await readLedgerDays(firstDay, lastDay);
			const incomeDays = await store.listIncomeDays({ firstDay, lastDay });
			const costs = new Map(incomeDays.map(({ day, costCents }) => [day, costCents]));
			return {
				as_of: time(readAtMs),
				held: holdings.reduce((sum, { heldCents }) => sum + heldCents, 0),
				days: ledgerDays.map((day) => moneyDay(day, costs.get(day.day) ?? 0)),
				low: runningLow(holdings, { firstDay: week.firstDay, nowMs: readAtMs }),
				refused: refusedView(await store.listRefused()),
			};
		},
	});
}

/** The start of the previous month, in days since 1970-01-01; earlier, if that was fewer than 30 days ago. */
function firstShownDay(nowMs: number): number {
	const now = new Date(nowMs);
	const startOfPrevious = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1);
	return Math.min(usageDayOf(startOfPrevious), usageDayOf(nowMs) - (SHOWN_DAYS - 1));
}

function moneyDay(ledgerDay: LedgerDay, bandwidthCents: number): MoneyDay {
	return {
		date: time(startOfDayMs(ledgerDay.day)),
		held: ledgerDay.heldCents,
		top_ups: sumOfKind(ledgerDay, 'top_up'),
		adjustments: sumOfKind(ledgerDay, 'adjustment'),
		fees: sumOfKind(ledgerDay, 'create_fee'),
		bandwidth: bandwidthCents,
	};
}

function edgesView(edges: readonly Edge[], nowMs: number): ServiceHealth['edges'] {
	const silent = edges
		.filter((edge) => isSilent(edge, nowMs - SILENT_MS))
		.toSorted((one, other) => (one.lastSeenAtMs ?? 0) - (other.lastSeenAtMs ?? 0));
	return {
		count: edges.filter(({ keyHash }) => keyHash !== null).length,
		silent_count: silent.length,
		silent: silent
			.slice(0, SILENT_SHOWN)
			.map(({ name, lastSeenAtMs }) => ({ name, last_seen: time(lastSeenAtMs ?? 0) })),
	};
}

function reportsOf(verdicts: readonly UsageVerdictCount[], day: number): ReportsDay {
	const ofDay = verdicts.filter((one) => one.day === day);
	const isAccepted = ({ verdict }: UsageVerdictCount) => verdict === 'counted' || verdict === 'repeated';
	const sumOf = (counts: readonly UsageVerdictCount[]) => counts.reduce((sum, { reports }) => sum + reports, 0);
	return {
		date: time(startOfDayMs(day)),
		accepted: sumOf(ofDay.filter(isAccepted)),
		refused: sumOf(ofDay.filter((one) => !isAccepted(one))),
	};
}

function ledgerView({ running, last }: LedgerHealth): ServiceHealth['ledger'] {
	return {
		is_running: running !== null,
		last: last && { ended: last.ended, problems: last.result?.problems ?? null },
	};
}
