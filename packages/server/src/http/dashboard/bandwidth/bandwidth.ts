import type { Bandwidth, BandwidthBytes } from '@bursar/contract/dashboard';
import { firstKeptHour } from '../../../domain/usage-hours.ts';
import type { BandwidthSpans } from '../../../store/tables/usage/bandwidth.ts';
import type { UsageReads } from '../../../store/tables/usage/reads.ts';
import { daysOfSpans, startOfSpanMs } from '../../bandwidth/asked-spans.ts';
import {
	type AskedBandwidth,
	type BandwidthSums,
	filled,
	knownSinceMs,
	partsOf,
	readCosts,
} from '../../bandwidth/sums.ts';
import { time, timeOrNull } from '../calls/times.ts';
import { CORRECTIONS_SHOWN, correctionView } from './corrections.ts';

/**
 * How many of those that used most are shown. The pages have a colour for each.
 * @bound Sub-users, edges or resellers into which bandwidth is divided: the rest is one part.
 */
const PARTS_SHOWN = 7;

export type BandwidthStore = BandwidthSums & Pick<UsageReads, 'listUsageCorrections'>;

/** What was used in hours or days, with the same time before. `nowMs`: Unix milliseconds. */
export async function readBandwidth(store: BandwidthStore, asked: AskedBandwidth, nowMs: number): Promise<Bandwidth> {
	const { spans, by, ...of } = asked;
	const sinceMs = await store.findHoursSince(of.owner);
	const count = spans.last - spans.first + 1;
	const earlier = { unit: spans.unit, first: spans.first - count, last: spans.first - 1 };
	const isEarlierKnown = isKnown(earlier, asked, sinceMs, nowMs);
	// Read before, so that what they have together is a part of the sum.
	const parts = by === undefined ? [] : await store.listBandwidthParts({ ...of, ...spans, by, limit: PARTS_SHOWN });
	const [found, costs, corrections, days] = await Promise.all([
		store.listBandwidth({ ...of, ...spans, first: isEarlierKnown ? earlier.first : spans.first }),
		readCosts(store, asked),
		readCorrections(store, asked),
		isEarlierKnown ? null : compareDays(store, asked),
	]);
	const now = filled(found, spans);
	const before = isEarlierKnown ? filled(found, earlier) : null;
	return {
		as_of: time(nowMs),
		unit: spans.unit,
		spans: now.map((bytes, index) => ({
			at: time(startOfSpanMs(spans.unit, spans.first + index)),
			...bytes,
			cost: costs && (costs.get(spans.first + index) ?? 0),
		})),
		goes_on: spans.goesOn,
		before,
		comparison: before ? compare(now, before, spans.goesOn) : days,
		parts: partsOf(parts, spans),
		corrections,
		hours_since: timeOrNull(knownSinceMs(asked, sinceMs)),
	};
}

/** Whether hours or edges of that time are still kept, and were already written. Days of accounts always are. */
function isKnown(spans: BandwidthSpans, { edge }: AskedBandwidth, sinceMs: number, nowMs: number): boolean {
	if (spans.unit === 'hour' && spans.first < firstKeptHour(nowMs)) return false;
	const needsSince = spans.unit === 'hour' || edge !== undefined;
	return !needsSince || startOfSpanMs(spans.unit, spans.first) >= sinceMs;
}

async function readCorrections(store: BandwidthStore, { reseller, username, spans, owner }: AskedBandwidth) {
	if (reseller === undefined) return [];
	const query = { reseller, username, ...daysOfSpans(spans), limit: CORRECTIONS_SHOWN, owner };
	return (await store.listUsageCorrections(query)).map(correctionView);
}

/** Compares the days that are over, if hours are shown and those before are not kept. */
async function compareDays(store: BandwidthStore, { by: _by, spans, ...of }: AskedBandwidth) {
	if (of.edge !== undefined) return null;
	const { firstDay, lastDay } = daysOfSpans(spans);
	const count = lastDay - firstDay + 1;
	const found = await store.listBandwidth({ ...of, unit: 'day', first: firstDay - count, last: lastDay });
	const days = (first: number) => filled(found, { unit: 'day', first, last: first + count - 1 });
	return compare(days(firstDay), days(firstDay - count), spans.goesOn);
}

function compare(now: readonly BandwidthBytes[], before: readonly BandwidthBytes[], goesOn: boolean) {
	const sum = (all: readonly BandwidthBytes[]) =>
		all.slice(0, goesOn ? -1 : undefined).reduce((total, { up, down }) => total + up + down, 0);
	return now.length > 1 || !goesOn ? { now: sum(now), before: sum(before) } : null;
}
