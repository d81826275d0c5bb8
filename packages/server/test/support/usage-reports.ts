import { inStore } from '@bursar/testing/sqlite-books';

/** Reports as a proxy host sends them, one a line. The n-th has 1 byte up and n bytes down. */
export function usageReports(usernames: readonly string[], count: number, source = 'host-1'): string {
	const timestamp = new Date().toISOString();
	return Array.from({ length: count }, (_, index) => {
		const username = usernames[index % usernames.length];
		return `${JSON.stringify({ source, id: String(index), username, timestamp, up: 1, down: index + 1 })}\n`;
	}).join('');
}

/** How many reports the store knows, and their sum over all sub-users and days. */
export function usageTotals(dataDir: string) {
	return inStore(dataDir, (store) =>
		store
			.prepare(
				`SELECT (SELECT COUNT(*) FROM usage_reports) AS reports,
				 COALESCE(SUM(bytes_up), 0) AS bytesUp, COALESCE(SUM(bytes_down), 0) AS bytesDown FROM usage_days`,
			)
			.get(),
	) as { readonly reports: number; readonly bytesUp: number; readonly bytesDown: number };
}
