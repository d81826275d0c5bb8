import type { BandwidthBytes, BandwidthDivision, BandwidthPart } from '@bursar/contract/dashboard';
import type { MeteringReads } from '../../store/tables/meters/reads.ts';
import type {
	BandwidthOfPart,
	BandwidthOfSpan,
	BandwidthReads,
	BandwidthSpans,
} from '../../store/tables/usage/bandwidth.ts';
import { type AskedSpans, daysOfSpans, startOfSpanMs } from './asked-spans.ts';

// What the dashboard and the operator's API show of bandwidth.

export interface AskedBandwidth {
	/** Absent: all resellers. */
	readonly reseller?: string | undefined;
	/** At most one of these is given. */
	readonly username?: string | undefined;
	readonly edge?: string | undefined;
	readonly by?: BandwidthDivision | undefined;
	readonly spans: AskedSpans;
	/** The owner of the read. */
	readonly owner: string;
}

export type BandwidthSums = BandwidthReads & Pick<MeteringReads, 'listCostDays' | 'listIncomeDays'>;

/** From when on hours and edges are known, in Unix milliseconds, if that is later than what is asked for. */
export function knownSinceMs({ spans, edge, by }: AskedBandwidth, sinceMs: number): number | null {
	const needsSince = spans.unit === 'hour' || edge !== undefined || by === 'edge';
	return needsSince && startOfSpanMs(spans.unit, spans.first) < sinceMs ? sinceMs : null;
}

/** By day. `null`: the cost of hours and of edges is not known. */
export async function readCosts(store: BandwidthSums, { reseller, username, edge, spans, owner }: AskedBandwidth) {
	if (spans.unit === 'hour' || edge !== undefined) return null;
	const days = daysOfSpans(spans);
	const costs =
		reseller === undefined
			? await store.listIncomeDays({ ...days, owner })
			: await store.listCostDays({ reseller, username, ...days, owner });
	return new Map(costs.map(({ day, costCents }) => [day, costCents]));
}

/** One for each span, also for those without usage. */
export function filled(found: readonly BandwidthOfSpan[], { first, last }: BandwidthSpans): BandwidthBytes[] {
	const bytes = new Map(found.map((one) => [one.span, one]));
	return Array.from({ length: last - first + 1 }, (_, index) => {
		const { bytesUp = 0, bytesDown = 0 } = bytes.get(first + index) ?? {};
		return { up: bytesUp, down: bytesDown };
	});
}

/** The largest first. */
export function partsOf(found: readonly BandwidthOfPart[], spans: BandwidthSpans): readonly BandwidthPart[] {
	const parts = Object.entries(Object.groupBy(found, ({ name }) => name)).map(([name, rows = []]) => {
		const bytes = filled(rows, spans);
		return {
			name,
			up: bytes.reduce((sum, { up }) => sum + up, 0),
			down: bytes.reduce((sum, { down }) => sum + down, 0),
			values: bytes.map(({ up, down }) => up + down),
		};
	});
	return parts.sort((a, b) => b.up + b.down - (a.up + a.down) || (a.name < b.name ? -1 : 1));
}
