import { type UsageReport, usageReportKey } from '../domain/usage.ts';

export interface NumberedReport {
	/** Its line in the file, counted from 1. */
	readonly line: number;
	readonly report: UsageReport;
}

/** Whether two reports have the same name. Of these, the first one has to count, so the reports keep their order. */
export function haveRepeatedName(reports: readonly NumberedReport[]): boolean {
	return new Set(reports.map(({ report }) => usageReportKey(report))).size < reports.length;
}

/**
 * Sorts reports by account and day, the order of the store's totals: neighbours then change the same pages, and writing
 * pages is most of the cost of an import.
 */
export function storeOrder(reports: readonly NumberedReport[]): readonly NumberedReport[] {
	return reports.toSorted((a, b) => compare(a.report, b.report));
}

function compare(a: UsageReport, b: UsageReport): number {
	if (a.username !== b.username) return a.username < b.username ? -1 : 1;
	return a.atMs - b.atMs;
}
