import { MAX_BYTES } from '@bursar/contract/limits';
import { type Bytes, type ResellerUsageDay, type UsageDay, usageDayOf } from './usage.ts';

const HOUR_MS = 3_600_000;
/**
 * How many UTC hours are kept, the present one included: 8 days.
 * @bound UTC hours of bandwidth and of refusals that are kept: older ones are forgotten. Each batch forgets twice as
 * many as it adds.
 */
export const HOURS_KEPT = 8 * 24;

/** The reseller of the sums over all resellers. No reseller has an empty name. */
export const ALL_RESELLERS = '';

/** What all accounts of a reseller used in one UTC hour. */
export interface ResellerUsageHour extends Bytes {
	readonly reseller: string;
	/** In hours since 1970-01-01. */
	readonly hour: number;
}

/** What one account used in one UTC hour. */
export interface UsageHour extends ResellerUsageHour {
	readonly username: string;
}

/** What an edge reported for the accounts of a reseller, or for all accounts (`ALL_RESELLERS`). */
export interface EdgeUsageHour extends ResellerUsageHour {
	readonly edge: string;
}

export interface EdgeUsageDay extends ResellerUsageDay {
	readonly edge: string;
}

/** The UTC hour of a time, in hours since 1970-01-01. */
export function usageHourOf(atMs: number): number {
	return Math.floor(atMs / HOUR_MS);
}

/** The start of a UTC hour, in Unix milliseconds. */
export function startOfHourMs(hour: number): number {
	return hour * HOUR_MS;
}

/** The oldest hour that is kept. Reports of earlier ones add to no hour, and earlier rows are forgotten. */
export function firstKeptHour(nowMs: number): number {
	return usageHourOf(nowMs) - (HOURS_KEPT - 1);
}

/** What a batch adds to hours, and to what edges have reported. */
export interface AddedHours {
	readonly hours: readonly UsageHour[];
	readonly resellerHours: readonly ResellerUsageHour[];
	readonly edgeHours: readonly EdgeUsageHour[];
	readonly edgeDays: readonly EdgeUsageDay[];
}

/** Whose bytes, and the edge that reported them; `undefined` for an imported report. */
type Origin = Pick<UsageDay, 'reseller' | 'username'> & { readonly edge: string | undefined };

/**
 * Adds up hours and edges. Nothing is paid by them, so no report is refused because such a sum gets too large: it stays
 * at the largest number. `nowMs`: Unix milliseconds.
 */
export function addUpHours(nowMs: number) {
	const firstHour = firstKeptHour(nowMs);
	const hours = createSums<UsageHour>();
	const resellerHours = createSums<ResellerUsageHour>();
	const edgeHours = createSums<EdgeUsageHour>();
	const edgeDays = createSums<EdgeUsageDay>();

	function addOfEdge(reseller: string, edge: string, atMs: number, more: Bytes): void {
		const key = `${reseller}\n${edge}`;
		const day = usageDayOf(atMs);
		edgeDays.add(day, key, more, () => ({ reseller, edge, day, ...ZERO }));
		const hour = usageHourOf(atMs);
		if (hour >= firstHour) edgeHours.add(hour, key, more, () => ({ reseller, edge, hour, ...ZERO }));
	}

	return {
		add({ reseller, username, edge }: Origin, atMs: number, more: Bytes): void {
			const hour = usageHourOf(atMs);
			if (hour >= firstHour) {
				hours.add(hour, username, more, () => ({ reseller, username, hour, ...ZERO }));
				resellerHours.add(hour, reseller, more, () => ({ reseller, hour, ...ZERO }));
			}
			if (edge === undefined) return;
			addOfEdge(reseller, edge, atMs, more);
			addOfEdge(ALL_RESELLERS, edge, atMs, more);
		},
		added: (): AddedHours => ({
			hours: hours.added(),
			resellerHours: resellerHours.added(),
			edgeHours: edgeHours.added(),
			edgeDays: edgeDays.added(),
		}),
	};
}

const ZERO: Bytes = { bytesUp: 0, bytesDown: 0 };

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** Sums by an hour or a day and a name. */
function createSums<Sum extends Bytes>() {
	const spans = new Map<number, Map<string, Writable<Sum>>>();
	return {
		add(span: number, name: string, { bytesUp, bytesDown }: Bytes, begin: () => Sum): void {
			let sums = spans.get(span);
			if (!sums) {
				sums = new Map();
				spans.set(span, sums);
			}
			let sum = sums.get(name);
			if (!sum) {
				sum = begin();
				sums.set(name, sum);
			}
			sum.bytesUp = Math.min(MAX_BYTES, sum.bytesUp + bytesUp);
			sum.bytesDown = Math.min(MAX_BYTES, sum.bytesDown + bytesDown);
		},
		added: (): readonly Sum[] => [...spans.values()].flatMap((sums) => [...sums.values()]),
	};
}
