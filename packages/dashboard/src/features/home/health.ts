import type { ReportsDay, ServiceHealth } from '@bursar/contract/dashboard';

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;
/** As the alerts say: an hour late is not late yet. */
const LATE_MS = 3_600_000;

/** The first that is true. */
type LedgerState = 'problems' | 'running' | 'never' | 'unfinished' | 'old' | 'right';

/** How the verification of the ledger is. It should run daily, and is old after two days. */
export function ledgerState({ is_running, last }: ServiceHealth['ledger'], nowMs: number): LedgerState {
	if (last?.problems) return 'problems';
	if (is_running) return 'running';
	if (!last) return 'never';
	if (last.problems === null) return 'unfinished';
	return nowMs - Date.parse(last.ended) > 2 * DAY_MS + LATE_MS ? 'old' : 'right';
}

/** A store that is younger than a day needs no backup and no verification yet. */
export function isYoung({ store_made }: Pick<ServiceHealth, 'store_made'>, nowMs: number): boolean {
	return nowMs - Date.parse(store_made) < DAY_MS;
}

/** How the backups are. They should be made daily. */
export function backupState(backup: ServiceHealth['backup'], nowMs: number): 'elsewhere' | 'never' | 'old' | 'right' {
	if (!backup.is_ours) return 'elsewhere';
	if (backup.last === null) return 'never';
	return nowMs - Date.parse(backup.last) > DAY_MS + LATE_MS ? 'old' : 'right';
}

interface RefusedTrend {
	readonly today: number;
	/** A day, in the week before today. */
	readonly usual: number;
	/** Whether more were refused today, which is not over, than on a usual day. */
	readonly grows: boolean;
	/** Of all days. */
	readonly total: number;
}

/** Whether refused reports become more. The last day is today. */
export function refusedTrend(days: readonly ReportsDay[]): RefusedTrend {
	const refused = days.map((day) => day.refused);
	const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
	const today = refused.at(-1) ?? 0;
	const usual = sum(refused.slice(-1 - WEEK_DAYS, -1)) / WEEK_DAYS;
	return { today, usual, grows: today > usual, total: sum(refused) };
}
