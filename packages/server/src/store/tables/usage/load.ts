import type { LoadedUsage } from '../../../commands/usage/count.ts';
import type { ChargedPrice } from '../../../domain/metering.ts';
import {
	type Bytes,
	type CounterReading,
	type UsageDay,
	type UsageReport,
	usageDayKey,
	usageDayOf,
	usageReportKey,
} from '../../../domain/usage.ts';
import { type UsageCounter, usageCounterKey } from '../../../domain/usage-counter.ts';
import { type UsagePace, usagePaceKey } from '../../../domain/usage-pace.ts';
import { type FoundRows, givenRows, type ReadingSteps, type SharedStatement } from '../../statement.ts';
import type { KnownResellers } from './known-resellers.ts';
import { parseReadingDays, READING_DAYS } from './reading-days.ts';

const USAGE_HORIZON = 'usage_horizon_ms';

interface LoadOptions {
	/** The resellers that are known already. Those that are found are added. */
	readonly resellers: KnownResellers;
	/** Whether to load the totals of the days. */
	readonly withTotals: boolean;
}

type Used = UsageReport | CounterReading;
type Owner = Pick<UsageDay, 'username' | 'reseller'>;

/** Loads what is known about the reports and readings of a batch. It locks nothing. */
export function* loadUsage(
	reports: readonly UsageReport[],
	readings: readonly CounterReading[],
	{ resellers, withTotals }: LoadOptions,
): ReadingSteps<LoadedUsage> {
	const used = [...reports, ...readings];
	const [counted, found, owners, facts, paces = []] = (yield [
		findReports(reports),
		findCounters(readings),
		findResellers(used, resellers),
		// Read after the names: if a name was forgotten before it was looked up, the horizon shows it.
		{ sql: 'SELECT name, value FROM meta WHERE name IN ($1, $2)', values: [USAGE_HORIZON, READING_DAYS] },
		...findPaces(readings),
	]) as readonly [
		readonly UsageReport[],
		readonly UsageCounter[],
		readonly Owner[],
		readonly { readonly name: string; readonly value: string }[],
		(readonly UsagePace[])?,
	];
	for (const { username, reseller } of owners) resellers.set(username, reseller);
	const counters = new Map(found.map((counter) => [usageCounterKey(counter), counter]));
	const factOf = (wanted: string) => facts.find(({ name }) => name === wanted)?.value;
	const prices = yield* loadPrices(used, resellers);
	const horizonMs = factOf(USAGE_HORIZON);
	if (horizonMs === undefined) throw new Error('the store has lost its usage horizon: restore a backup');
	return {
		reports: new Map(counted.map((report) => [usageReportKey(report), report])),
		counters,
		readingDays: parseReadingDays(factOf(READING_DAYS)),
		paces: new Map(paces.map((pace) => [usagePaceKey(pace), pace])),
		resellers,
		prices,
		...(withTotals ? yield* loadTotals(used, resellers, prices) : NO_TOTALS),
		horizonMs: Number(horizonMs),
	};
}

function findReports(reports: readonly UsageReport[]): FoundRows {
	return {
		table: 'usage_reports',
		columns: 'source, report_id AS "id", username, at_ms AS "atMs", bytes_up AS "bytesUp", bytes_down AS "bytesDown"',
		keys: givenRows(reports, {
			source: ['text', ({ source }) => source],
			report_id: ['text', ({ id }) => id],
		}),
	};
}

function findCounters(readings: readonly CounterReading[]): FoundRows {
	return {
		table: 'usage_counters',
		columns: 'edge, counter, username, bytes_up AS "bytesUp", bytes_down AS "bytesDown", seen_day AS "seenDay"',
		keys: givenRows(readings, {
			edge: ['text', ({ edge }) => edge],
			counter: ['text', ({ counter }) => counter],
		}),
	};
}

/** All paces of these edges. A batch has readings of a few edges at most, because it has a few steps at most. */
function findPaces(readings: readonly CounterReading[]): readonly SharedStatement[] {
	const edges = [...new Set(readings.map(({ edge }) => edge))];
	if (edges.length === 0) return [];
	const given = edges.map((_, index) => `$${index + 1}`).join(', ');
	const sql = `SELECT edge, reseller, spent_to_ms AS "spentToMs", refused_at_ms AS "refusedAtMs"
		FROM usage_paces WHERE edge IN (${given})`;
	return [{ sql, values: edges }];
}

/** The resellers of the accounts that are not known yet. */
function findResellers(used: readonly Used[], known: KnownResellers): FoundRows {
	const unknown = new Set<string>();
	for (const { username } of used) if (!known.has(username)) unknown.add(username);
	const keys = givenRows([...unknown], { username: ['text', (username) => username] });
	return { table: 'usernames', columns: 'username, reseller', keys };
}

/** The present prices of the resellers of these accounts. */
function* loadPrices(used: readonly Used[], resellers: KnownResellers): ReadingSteps<LoadedUsage['prices']> {
	const owners = new Set<string>();
	for (const { username } of used) {
		const reseller = resellers.get(username);
		if (reseller !== undefined) owners.add(reseller);
	}
	const [found] = (yield [
		{
			table: 'current_prices',
			columns: `reseller, number, micro_usd_per_gb AS "microUsdPerGb", metered_since_ms AS "meteredSinceMs"`,
			keys: givenRows([...owners], { reseller: ['text', (reseller) => reseller] }),
		},
	]) as readonly [readonly (Omit<ChargedPrice, 'microUsdPerGb'> & { readonly microUsdPerGb: number | null })[]];
	const prices = new Map<string, ChargedPrice>();
	for (const { microUsdPerGb, ...price } of found) {
		if (microUsdPerGb !== null) prices.set(price.reseller, { ...price, microUsdPerGb });
	}
	return prices;
}

type Totals = Pick<LoadedUsage, 'days' | 'resellerDays' | 'meters'>;

const NO_TOTALS: Totals = { days: new Map(), resellerDays: new Map(), meters: new Map() };

/** The totals of the days to which bytes may be added. */
function* loadTotals(
	used: readonly Used[],
	resellers: KnownResellers,
	prices: LoadedUsage['prices'],
): ReadingSteps<Totals> {
	const wanted = new Map<string, Omit<UsageDay, keyof Bytes>>();
	const wantedOfResellers = new Map<string, Omit<UsageDay, keyof Bytes>>();
	for (const { username, atMs } of used) {
		const reseller = resellers.get(username);
		if (reseller === undefined) continue;
		const day = usageDayOf(atMs);
		wanted.set(usageDayKey(username, day), { reseller, username, day });
		wantedOfResellers.set(usageDayKey(reseller, day), { reseller, username, day });
	}
	const metered = new Map<string, Owner & { readonly price: number }>();
	for (const { username, reseller } of wanted.values()) {
		const price = prices.get(reseller);
		if (price) metered.set(username, { username, reseller, price: price.number });
	}
	const bytes = 'bytes_up AS "bytesUp", bytes_down AS "bytesDown"';
	const [days, resellerDays, meters] = (yield [
		{
			table: 'usage_days',
			columns: `username, day, ${bytes}`,
			keys: givenRows([...wanted.values()], {
				reseller: ['text', ({ reseller }) => reseller],
				username: ['text', ({ username }) => username],
				day: ['integer', ({ day }) => day],
			}),
		},
		{
			table: 'usage_reseller_days',
			columns: `reseller, day, ${bytes}`,
			keys: givenRows([...wantedOfResellers.values()], {
				reseller: ['text', ({ reseller }) => reseller],
				day: ['integer', ({ day }) => day],
			}),
		},
		{
			table: 'meters',
			columns: 'username, bytes',
			keys: givenRows([...metered.values()], {
				reseller: ['text', ({ reseller }) => reseller],
				username: ['text', ({ username }) => username],
				price: ['integer', ({ price }) => price],
			}),
		},
	]) as readonly [
		readonly UsageDay[],
		readonly UsageDay[],
		readonly { readonly username: string; readonly bytes: number }[],
	];
	return {
		days: new Map(days.map((total) => [usageDayKey(total.username, total.day), total])),
		resellerDays: new Map(resellerDays.map((total) => [usageDayKey(total.reseller, total.day), total])),
		meters: new Map(meters.map((meter) => [meter.username, meter.bytes])),
	};
}
