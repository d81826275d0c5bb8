import type { ArrivedReport, UsageRefusal, UsageVerdict } from './usage.ts';

/** A report or a reading that was refused, so that operators find whose it is. */
export interface RefusedReport {
	/** Whether the source is an edge, or stands in a report of an imported file. */
	readonly kind: 'edge' | 'file';
	readonly source: string;
	/** Normalized; empty if it has not the form of one. */
	readonly username: string;
	readonly reason: UsageRefusal;
	/** The id of the report or the counter of the reading; empty if it could not be read. */
	readonly name: string;
	/** When the bandwidth was used, in Unix milliseconds; `null` if it could not be read. */
	readonly atMs: number | null;
	readonly bytesUp: number | null;
	readonly bytesDown: number | null;
	/** How many were refused for the same reason, with the same source and username. */
	readonly reports: number;
}

/**
 * How many are kept of each source and in all, the newest. So a source whose reports are all wrong hides no other.
 * @bound Refused usage reports that are kept, the newest: older ones are forgotten. Reports with the same source,
 * username and reason share one.
 */
export const REFUSED_KEPT = { ofSource: 20, inAll: 1_000 };

/** The refused ones of a batch, one for each source, username and reason, and no more than are kept. */
export function refusedReports(
	arrived: readonly ArrivedReport[],
	verdicts: readonly UsageVerdict[],
): readonly RefusedReport[] {
	const sources = new Map<string, Map<string, RefusedReport>>();
	for (const [index, verdict] of verdicts.entries()) {
		if (typeof verdict === 'string') continue;
		const refused = refusedReport(arrived[index] as ArrivedReport, verdict.refused);
		if (!refused) continue;
		const sourceKey = `${refused.kind}\n${refused.source}`;
		const ofSource = sources.get(sourceKey) ?? new Map<string, RefusedReport>();
		sources.set(sourceKey, ofSource);
		const key = `${refused.username}\n${refused.reason}`;
		const before = ofSource.get(key);
		if (!before && ofSource.size >= REFUSED_KEPT.ofSource) continue;
		ofSource.set(key, { ...refused, reports: (before?.reports ?? 0) + 1 });
	}
	return [...sources.values()].flatMap((ofSource) => [...ofSource.values()]).slice(0, REFUSED_KEPT.inAll);
}

/** `undefined` if nothing is known about it but the reason. */
function refusedReport(report: ArrivedReport, reason: UsageRefusal): RefusedReport | undefined {
	if ('refused' in report) {
		const { edge, username = '' } = report;
		const unread = { name: '', atMs: null, bytesUp: null, bytesDown: null };
		return edge === undefined ? undefined : { kind: 'edge', source: edge, username, reason, ...unread, reports: 1 };
	}
	const { username, atMs, bytesUp, bytesDown } = report;
	const content = { username, reason, atMs, bytesUp, bytesDown, reports: 1 };
	return 'edge' in report
		? { kind: 'edge', source: report.edge, name: report.counter, ...content }
		: { kind: 'file', source: report.source, name: report.id, ...content };
}
