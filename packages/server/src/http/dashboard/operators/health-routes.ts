import type { RefusedReport, UsageHealthDay } from '@bursar/contract/dashboard';
import { newId } from '../../../credentials.ts';
import { startOfDayMs, usageShownDays } from '../../../domain/usage.ts';
import type { StoredRefusedReport, UsageVerdictCount } from '../../../store/tables/usage/reads.ts';
import { CORRECTIONS_SHOWN, correctionView } from '../bandwidth/corrections.ts';
import { readAfterChange } from '../calls/after-change.ts';
import type { Calls } from '../calls/calls.ts';
import { ownChange } from '../calls/own-change.ts';
import { refusedBy } from '../calls/refusals.ts';
import { time } from '../calls/times.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { readLedgerHealth } from './ledger-health.ts';

interface HealthDependencies extends Pick<DashboardDependencies, 'store' | 'verifier' | 'nowMs'> {
	readonly sessions: Sessions;
}

/** @bound Refused reports that the page shows: the rest is left out. */
const REFUSED_SHOWN = 100;

/** How the reports of bandwidth fare, and whether the ledger is right, for operators. */
export function operatorHealthRoutes(calls: Calls, { store, verifier, sessions, nowMs }: HealthDependencies): void {
	calls.read('/operator/usage', async () => {
		const { firstDay } = usageShownDays(nowMs());
		const [counts, refused, corrections] = await Promise.all([
			store.listUsageVerdicts(firstDay),
			store.listRefusedReports(startOfDayMs(firstDay), REFUSED_SHOWN),
			store.listUsageCorrections({ limit: CORRECTIONS_SHOWN }),
		]);
		const byDay = [...Map.groupBy(counts, ({ day }) => day)].toSorted(([one], [other]) => other - one);
		return {
			data: {
				days: byDay.map(([day, ofDay]) => usageDayView(day, ofDay)),
				refused: refused.map(refusedView),
				corrections: corrections.map((correction) => {
					const { reseller, reference, madeBy } = correction;
					return { ...correctionView(correction), reseller, reference, by: madeBy };
				}),
			},
		};
	});

	calls.read('/operator/ledger', async () => ({ data: await readLedgerHealth({ store, nowMs }) }));

	calls.change('/operator/ledger/verify', async ({ act }, call) => {
		const outcome = await verifier.begin(newId(), ownChange(call, sessions, { act, kind: 'verify_ledger' }));
		return outcome.ok
			? readAfterChange(async () => ({ data: await readLedgerHealth({ store, nowMs }) }))
			: refusedBy(outcome);
	});
}

function refusedView(report: StoredRefusedReport): RefusedReport {
	const { atMs, arrivedAtMs, bytesUp, bytesDown, ...same } = report;
	return {
		...same,
		arrived: time(arrivedAtMs),
		at: atMs === null ? null : time(atMs),
		up: bytesUp,
		down: bytesDown,
	};
}

function usageDayView(day: number, counts: readonly UsageVerdictCount[]): UsageHealthDay {
	const reports = new Map(counts.map((one) => [one.verdict, one.reports]));
	const { counted = 0, repeated = 0, ...refused } = Object.fromEntries(reports);
	return { date: time(startOfDayMs(day)), counted, repeated, refused };
}
