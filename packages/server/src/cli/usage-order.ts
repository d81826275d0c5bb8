import { type UsageReport, usageReportKey } from '../domain/usage.ts';

export interface NumberedReport {
	/** Where it stands in the file, from 1. */
	readonly line: number;
	readonly report: UsageReport;
}

/**
 * The reports in the order of the store's totals, by account and day: neighbours change the same pages
 * of the disk, which is most of what an import costs. Where one name stands on several reports the first
 * of them has to count, so these stay as they came.
 */
export function storeOrder(reports: readonly NumberedReport[]): readonly NumberedReport[] {
	const names = new Set(reports.map(({ report }) => usageReportKey(report)));
	if (names.size < reports.length) return reports;
	return reports.toSorted((a, b) => compare(a.report, b.report));
}

function compare(a: UsageReport, b: UsageReport): number {
	if (a.username !== b.username) return a.username < b.username ? -1 : 1;
	return a.atMs - b.atMs;
}
