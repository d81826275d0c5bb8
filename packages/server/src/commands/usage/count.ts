import { type ChargedPrice, type Cost, costOf, NO_COST } from '../../domain/metering.ts';
import { type RefusedReport, refusedReports } from '../../domain/refused-report.ts';
import {
	type ArrivedReport,
	type Bytes,
	type CountedVerdict,
	type CounterReading,
	isCounter,
	MAX_AHEAD_MS,
	type ResellerUsageDay,
	type UsageDay,
	type UsageReport,
	type UsageVerdict,
	usageAcceptedFromMs,
	usageDayKey,
	usageDayOf,
	usageReportKey,
} from '../../domain/usage.ts';
import {
	type ChangedCounter,
	type ReadingDays,
	readCounter,
	readingDaysAt,
	type UsageCounter,
	usageCounterKey,
} from '../../domain/usage-counter.ts';
import { type AddedHours, addUpHours } from '../../domain/usage-hours.ts';
import { createPaces, type Paces, type UsagePace } from '../../domain/usage-pace.ts';

/** What the store knows about the reports and readings of a batch. */
export interface LoadedUsage {
	/** The reseller of each username that exists. */
	readonly resellers: Pick<ReadonlyMap<string, string>, 'get'>;
	/** Reports that were already counted, by `usageReportKey`. */
	readonly reports: ReadonlyMap<string, UsageReport>;
	/** Counters that were read before, by `usageCounterKey`. */
	readonly counters: ReadonlyMap<string, UsageCounter>;
	readonly readingDays: ReadingDays;
	/** The paces of the edges of these readings, by `usagePaceKey`. */
	readonly paces: ReadonlyMap<string, UsagePace>;
	/**
	 * The totals of accounts so far, by `usageDayKey`. One that is not loaded counts as zero here. The store refuses the
	 * whole batch if such a total becomes too large, and then decides it again with all totals.
	 */
	readonly days: ReadonlyMap<string, Bytes>;
	/** The totals of resellers so far, by `usageDayKey` of the reseller. The same holds for them. */
	readonly resellerDays: ReadonlyMap<string, Bytes>;
	/** The present prices of resellers, by name. A reseller without one is not metered. */
	readonly prices: ReadonlyMap<string, ChargedPrice>;
	/** The bytes of accounts under these prices so far, by username. The same holds for them. */
	readonly meters: ReadonlyMap<string, number>;
	/** Every forgotten report has a timestamp before this, in Unix milliseconds. It never decreases. */
	readonly horizonMs: number;
	/**
	 * The clock by which days with readings are counted, in Unix milliseconds, if several processes share the store. Each
	 * process learns at another moment that the clock jumped, and going back and forth would count a day each time.
	 */
	readonly sharedNowMs?: number;
}

export interface DecidedUsage {
	/** One for each report and reading, in the same order. */
	readonly verdicts: readonly UsageVerdict[];
	/** The reports that this batch counts. */
	readonly countedReports: readonly UsageReport[];
	/** The counters that this batch begins or changes. */
	readonly changedCounters: readonly ChangedCounter[];
	readonly changedPaces: readonly UsagePace[];
	/** With today, if the batch has a reading. */
	readonly readingDays: ReadingDays;
	/** The newest time of the readings of each edge that were counted or repeated, in Unix milliseconds. */
	readonly reportedToMs: ReadonlyMap<string, number>;
	/** What this batch adds to days of accounts. */
	readonly addedDays: readonly (UsageDay & Charged & Seen)[];
	/** What it adds to days of resellers. */
	readonly addedResellerDays: readonly (ResellerUsageDay & Charged & Seen)[];
	/** What it adds to hours, and to what edges have reported. */
	readonly addedHours: AddedHours;
	/** What it adds to the meters of accounts. */
	readonly addedMeters: readonly AddedMeter[];
	/** By verdict. */
	readonly countedVerdicts: readonly CountedVerdict[];
	/** Those that operators can look at. */
	readonly refusedReports: readonly RefusedReport[];
}

/** When it was last used. */
interface Seen {
	/** Unix milliseconds. */
	readonly lastAtMs: number;
}

/** What was used at a price. */
interface Charged {
	readonly cost: Cost;
}

/** What an account used at the present price of its reseller. */
export interface AddedMeter extends Charged {
	readonly username: string;
	readonly price: ChargedPrice;
	/** Up and down together. */
	readonly bytes: number;
}

/**
 * Adds up reports and readings for each UTC day, account and reseller. The first report with a name (source, id) counts.
 * A repeat counts nothing. A report with the same name and other content is refused as a conflict. A reading of a counter
 * adds what is above the highest known value. What a metered reseller's accounts use now has its present price.
 * `nowMs`: Unix milliseconds.
 */
export function decideUsage(loaded: LoadedUsage, arrived: readonly ArrivedReport[], nowMs: number): DecidedUsage {
	const totals = addUp(loaded, nowMs);
	const reports = decideReports(loaded, totals.add);
	const { readings } = splitUsage(arrived);
	const hasReadings = readings.length > 0;
	const readingDays = hasReadings ? readingDaysAt(loaded.readingDays, loaded.sharedNowMs ?? nowMs) : loaded.readingDays;
	const paces = createPaces(loaded.paces, nowMs);
	const counters = decideReadings(loaded, readingDays, paces, totals.add);
	// The clock may have been ahead when names were forgotten, and corrected since.
	const acceptedFromMs = Math.max(usageAcceptedFromMs(nowMs), loaded.horizonMs);
	const verdicts = arrived.map((report): UsageVerdict => {
		if ('refused' in report) return { refused: report.refused };
		if (report.atMs > nowMs + MAX_AHEAD_MS) return { refused: 'timestamp_ahead' };
		if (report.atMs < acceptedFromMs) return { refused: 'timestamp_too_old' };
		const reseller = loaded.resellers.get(report.username);
		if (reseller === undefined) return { refused: 'unknown_username' };
		return 'edge' in report ? counters.decide(report, reseller) : reports.decide(report, reseller);
	});
	return {
		verdicts,
		countedReports: [...reports.counted.values()],
		changedCounters: [...counters.changed.values()],
		changedPaces: paces.changed(),
		readingDays,
		reportedToMs: counters.reportedToMs,
		addedDays: totals.days.added(),
		addedResellerDays: totals.resellerDays.added(),
		addedHours: totals.hours.added(),
		addedMeters: totals.meters.added(),
		countedVerdicts: countVerdicts(verdicts, usageDayOf(nowMs)),
		refusedReports: refusedReports(arrived, verdicts),
	};
}

/**
 * Adds bytes to the day of an account and of its reseller, and to their hours and edges. Returns `false`, and adds none, if
 * the sum of a day or of a meter is too large.
 */
type Add = (used: UsedBytes, atMs: number, more: Bytes) => boolean;

interface UsedBytes extends Pick<UsageDay, 'reseller' | 'username'> {
	/** Which edge reported them; `undefined` for an imported report. */
	readonly edge: string | undefined;
}

function addUp(loaded: Pick<LoadedUsage, 'days' | 'resellerDays' | 'prices' | 'meters'>, nowMs: number) {
	const { prices } = loaded;
	const days = createSums<UsageDay>(loaded.days, prices);
	const resellerDays = createSums<ResellerUsageDay>(loaded.resellerDays, prices);
	const meters = createMeters(loaded.meters);
	const hours = addUpHours(nowMs);
	const add: Add = (used, atMs, more) => {
		const { reseller, username } = used;
		// What used no bytes makes no day with usage.
		if (more.bytesUp === 0 && more.bytesDown === 0) return true;
		const day = usageDayOf(atMs);
		const ofAccount = days.of(username, day, () => ({ reseller, username, day, bytesUp: 0, bytesDown: 0 }));
		const ofReseller = resellerDays.of(reseller, day, () => ({ reseller, day, bytesUp: 0, bytesDown: 0 }));
		const price = prices.get(reseller);
		// What was used before the reseller was metered costs nothing, whenever it arrives.
		const isMetered = price !== undefined && atMs >= price.meteredSinceMs;
		const metered = isMetered ? more.bytesUp + more.bytesDown : 0;
		if (!fits(ofAccount, more) || !fits(ofReseller, more)) return false;
		if (isMetered && (!meters.fits(username, metered) || !isCounter(ofReseller.metered + metered))) return false;
		for (const sum of [ofAccount, ofReseller]) {
			sum.added.bytesUp += more.bytesUp;
			sum.added.bytesDown += more.bytesDown;
			sum.metered += metered;
			sum.lastAtMs = Math.max(sum.lastAtMs, atMs);
		}
		if (isMetered) meters.of(username, price).bytes += metered;
		hours.add(used, atMs, more);
		return true;
	};
	return { add, days, resellerDays, hours, meters };
}

/** What a batch adds to a total, and what the total was before. */
interface Sum<Day extends Bytes> {
	readonly added: Writable<Day>;
	readonly known: Bytes | undefined;
	/** How many of the added bytes have a price. */
	metered: number;
	lastAtMs: number;
}

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** The sums of a batch, by day and name. */
function createSums<Day extends ResellerUsageDay>(known: ReadonlyMap<string, Bytes>, prices: LoadedUsage['prices']) {
	const days = new Map<number, Map<string, Sum<Day>>>();
	return {
		of(name: string, day: number, begin: () => Day): Sum<Day> {
			const sums = getOrAdd(days, day, () => new Map());
			return getOrAdd(sums, name, () => ({
				added: begin(),
				known: known.size === 0 ? undefined : known.get(usageDayKey(name, day)),
				metered: 0,
				lastAtMs: 0,
			}));
		},
		/** Without those to which nothing fitted. */
		added(): readonly (Day & Charged & Seen)[] {
			const all = [...days.values()].flatMap((sums) =>
				Array.from(sums.values(), ({ added, metered, lastAtMs }) => {
					const price = metered > 0 ? prices.get(added.reseller) : undefined;
					return { ...added, lastAtMs, cost: price ? costOf(metered, price.microUsdPerGb) : NO_COST };
				}),
			);
			return all.filter(({ bytesUp, bytesDown }) => bytesUp > 0 || bytesDown > 0);
		},
	};
}

/** What a batch adds to the meters of accounts. */
function createMeters(known: LoadedUsage['meters']) {
	const meters = new Map<string, { price: ChargedPrice; bytes: number }>();
	return {
		of: (username: string, price: ChargedPrice) => getOrAdd(meters, username, () => ({ price, bytes: 0 })),
		fits: (username: string, more: number) =>
			isCounter((known.get(username) ?? 0) + (meters.get(username)?.bytes ?? 0) + more),
		added: (): readonly AddedMeter[] =>
			Array.from(meters, ([username, { price, bytes }]) => {
				return { username, price, bytes, cost: costOf(bytes, price.microUsdPerGb) };
			}).filter(({ bytes }) => bytes > 0),
	};
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
	let value = map.get(key);
	if (value === undefined) {
		value = make();
		map.set(key, value);
	}
	return value;
}

function fits({ added, known }: Sum<Bytes>, more: Bytes): boolean {
	return (
		isCounter((known?.bytesUp ?? 0) + added.bytesUp + more.bytesUp) &&
		isCounter((known?.bytesDown ?? 0) + added.bytesDown + more.bytesDown)
	);
}

function decideReports(loaded: Pick<LoadedUsage, 'reports'>, add: Add) {
	const counted = new Map<string, UsageReport>();
	function decide(report: UsageReport, reseller: string): UsageVerdict {
		const key = usageReportKey(report);
		const first = counted.get(key) ?? loaded.reports.get(key);
		if (first) return isSameContent(first, report) ? 'repeated' : { refused: 'conflict' };
		const { username, atMs } = report;
		if (!add({ reseller, username, edge: undefined }, atMs, report)) return { refused: 'counter_overflow' };
		counted.set(key, report);
		return 'counted';
	}
	return { decide, counted };
}

function decideReadings(loaded: Pick<LoadedUsage, 'counters'>, days: ReadingDays, paces: Paces, add: Add) {
	const changed = new Map<string, ChangedCounter>();
	const reportedToMs = new Map<string, number>();
	function decide(reading: CounterReading, reseller: string): UsageVerdict {
		const key = usageCounterKey(reading);
		const before = loaded.counters.get(key);
		const known = changed.get(key)?.after ?? before;
		const read = readCounter(known, reading, days);
		if (read === 'conflict') return { refused: 'conflict' };
		const { edge, username, atMs } = reading;
		if (!paces.allow(reading, reseller, read.added)) return { refused: 'too_fast' };
		if (!add({ reseller, username, edge }, atMs, read.added)) return { refused: 'counter_overflow' };
		paces.spend(reading, reseller, read.added);
		reportedToMs.set(edge, Math.max(reportedToMs.get(edge) ?? atMs, atMs));
		if (!read.isRepeated || known?.seenDay !== read.counter.seenDay) changed.set(key, { before, after: read.counter });
		return read.isRepeated ? 'repeated' : 'counted';
	}
	return { decide, changed, reportedToMs };
}

/** The reports and readings that can be looked up. */
export function splitUsage(arrived: readonly ArrivedReport[]) {
	const reports: UsageReport[] = [];
	const readings: CounterReading[] = [];
	for (const report of arrived) {
		if ('refused' in report) continue;
		if ('edge' in report) readings.push(report);
		else reports.push(report);
	}
	return { reports, readings };
}

/** In the order of the verdicts, so that all processes write them in one order. */
function countVerdicts(verdicts: readonly UsageVerdict[], day: number): readonly CountedVerdict[] {
	const counts = new Map<string, number>();
	for (const verdict of verdicts) {
		const name = typeof verdict === 'string' ? verdict : verdict.refused;
		counts.set(name, (counts.get(name) ?? 0) + 1);
	}
	const counted = Array.from(counts, ([verdict, reports]) => ({ day, verdict, reports }));
	return counted.sort((a, b) => (a.verdict < b.verdict ? -1 : 1));
}

function isSameContent(a: UsageReport, b: UsageReport): boolean {
	return a.username === b.username && a.atMs === b.atMs && a.bytesUp === b.bytesUp && a.bytesDown === b.bytesDown;
}
