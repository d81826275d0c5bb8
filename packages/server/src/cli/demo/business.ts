import type { Command } from '../../commands/registry.ts';
import { newProxyAuthkey } from '../../credentials.ts';
import { type ArrivedReport, startOfDayMs, type UsageReport } from '../../domain/usage.ts';
import { hourlyReadings, shareOfDay } from './hours.ts';
import { createDemoMoney, type Sender } from './money.ts';

/** What happened on one day, at one time of day. */
export interface DemoHour {
	/** Unix milliseconds. */
	readonly atMs: number;
	readonly commands: readonly Command[];
	/** Whether the reseller's person did it on the dashboard, and not a program with the API. */
	readonly isByPerson?: boolean;
	/** Usage reports that arrived then. */
	readonly reports?: readonly ArrivedReport[];
}

/** In the order in which they join. */
const SUB_USERS = `
	alice bruno chiara.d dmitri_k elif.yilmaz fatima gustav hana.sato
	ines_lopez jakub kofi.mensah lena marco_r nadia oskar.lind priya.n
	quinn rafael sofia_b tomasz uma.rao viktor wanjiru ximena.c
	yusuf zoe_martin crawler.eu crawler.us seo_monitor price.watch ad_check.1 ad_check.2
	travel.fares sneaker_bot qa.staging qa.release ops_probe brand_guard market.intel news_reader
	social.ads ticket_scan store.audit geo_test.br geo_test.jp account.eu account.us hotel_rates
	flight.deals job_board real.estate review_bot stock.alert cdn_probe.1 cdn_probe.2 verify.ads
	geo_test.de geo_test.in data.feed weekly_report`
	.trim()
	.split(/\s+/);

const MORNING = 9;
const AFTERNOON = 15;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** On the afternoon of every second of the last days, the reseller's person is at work. */
const PERSON_DAYS = 30;
/** When the reports of a day arrive: before it ends. */
const REPORTS_MS = 24 * HOUR_MS - MINUTE_MS;
/** So many of the last days were reported by edges, hour by hour. */
const HOURLY_DAYS = 13;
const MEGABYTE = 1_000_000;
/** They have not used the proxies since the day before today, when they ended. */
const EXPIRED = 'ticket_scan';
const SUSPENDED = 'sneaker_bot';
const ENDED_DAYS = 1;
/** Since that many days ago, bandwidth costs something. */
const PRICED_DAYS = 14;

interface Span {
	readonly firstDay: number;
	readonly lastDay: number;
}

/**
 * Months of a believable business, ending now: sub-users who join one after another, payments, gifts, money taken back,
 * and bandwidth that is lower on weekends, rises slowly, and costs something in the last weeks. The oldest hour comes first.
 * Everything but the keys is the same at every start.
 */
export function demoBusiness(sender: Sender, span: Span, nowMs: number): readonly DemoHour[] {
	const random = seededRandom();
	const money = createDemoMoney(sender, random);
	const hours: DemoHour[] = [];
	for (let day = span.firstDay; day <= span.lastDay; day++) {
		const daysAgo = span.lastDay - day;
		const untilNow = (timeMs: number) => Math.min(startOfDayMs(day) + timeMs, nowMs);
		if (daysAgo < PRICED_DAYS) hours.push({ atMs: untilNow(MINUTE_MS), commands: [money.postUsage()] });
		if (daysAgo === ENDED_DAYS) hours.push({ atMs: untilNow(MINUTE_MS), commands: ending(sender, startOfDayMs(day)) });
		for (const hour of [MORNING, AFTERNOON]) {
			const atMs = startOfDayMs(day) + hour * HOUR_MS + Math.floor(random() * HOUR_MS);
			if (atMs >= nowMs) break;
			const commands = money.movements(hour === MORNING ? joiningOn(day, span) : []);
			if (hour === MORNING && daysAgo === PRICED_DAYS) commands.push(money.setPrice(atMs));
			hours.push({ atMs, commands, isByPerson: hour === AFTERNOON && daysAgo < PERSON_DAYS && daysAgo % 2 === 0 });
		}
		const age = day - span.firstDay;
		const atMs = untilNow(REPORTS_MS);
		const share = shareOfDay(day, atMs);
		const hasEnded = (username: string) => daysAgo <= ENDED_DAYS && [EXPIRED, SUSPENDED].includes(username);
		const reports = money
			.subUsers()
			.flatMap((username, place) => usageOf(username, place, day, { age, share }, random))
			.filter((report) => !hasEnded(report.username) && money.pay(report));
		// The smallest stays a report, which faulty ones repeat: all its bytes are in the first hour of the day.
		const [smallest, ...others] = reports.toSorted((one, other) => one.bytesDown - other.bytesDown);
		const byEdges = daysAgo < HOURLY_DAYS ? others.flatMap((report) => hourlyReadings(report, atMs)) : others;
		hours.push({
			atMs,
			commands: [],
			reports: [...(smallest ? [smallest] : []), ...byEdges, ...faultyReports(smallest, daysAgo)],
		});
	}
	hours.push({ atMs: nowMs, commands: limiting(sender) });
	return hours;
}

/** One sub-user expires, and one is suspended. */
function ending({ reseller, requestId }: Sender, atMs: number): readonly Command[] {
	const of = (username: string) => ({ reseller, requestId: `${requestId}-end-${username}`, username });
	return [
		{ kind: 'set_limits', ...of(EXPIRED), limits: { expiresAtMs: atMs } },
		{ kind: 'suspend_sub_user', ...of(SUSPENDED) },
	];
}

/** Sub-users with limits and notes, and a deleted one. */
function limiting({ reseller, requestId }: Sender): readonly Command[] {
	let requests = 0;
	const of = (username: string) => ({ reseller, requestId: `${requestId}-life-${requests++}`, username });
	return [
		{ kind: 'set_limits', ...of('crawler.us'), limits: { dayBytes: 20_000 * MEGABYTE, connections: 50 } },
		{ kind: 'set_limits', ...of('price.watch'), limits: { monthBytes: 100_000 * MEGABYTE } },
		{ kind: 'set_limits', ...of('qa.staging'), limits: { allowedIps: ['192.0.2.0/24', '2001:db8::/48'] } },
		{ kind: 'set_note', ...of(SUSPENDED), note: 'Suspended until the invoice of October is paid' },
		{ kind: 'set_note', ...of('crawler.us'), note: 'Night runs, asks before it grows' },
		{ kind: 'delete_sub_user', ...of('ad_check.2') },
	];
}

/** The first ones are there from the beginning; the last ones join shortly before today. */
function joiningOn(day: number, { firstDay, lastDay }: Span): readonly string[] {
	const days = lastDay - firstDay + 1;
	const joinDay = (place: number) => firstDay + Math.floor((Math.max(0, place - 7) * (days - 3)) / SUB_USERS.length);
	return SUB_USERS.filter((_, place) => joinDay(place) === day);
}

/** The report of a share of one day, `age` days after the business began. Some days have no traffic. */
function usageOf(
	username: string,
	place: number,
	day: number,
	{ age, share }: { readonly age: number; readonly share: number },
	random: () => number,
): readonly UsageReport[] {
	if (random() < 0.03) return [];
	// 1970-01-01 was a Thursday.
	const weekend = [2, 3].includes(day % 7) ? 0.45 : 1;
	const size = 6000 / (1 + ((place * 17) % SUB_USERS.length)) + 40;
	const growth = 1 + age / 120;
	const bytesDown = Math.ceil(size * growth * weekend * (0.6 + random() * 0.8) * MEGABYTE * share);
	const bytesUp = Math.floor(bytesDown * (0.03 + random() * 0.06));
	return [{ source: 'demo', id: `${username}-${day}`, username, atMs: startOfDayMs(day), bytesUp, bytesDown }];
}

/** Reports that are refused, or were counted before, as they come now and then. */
function faultyReports(first: UsageReport | undefined, daysAgo: number): readonly UsageReport[] {
	if (!first) return [];
	if (daysAgo % 9 === 1) return [first, { ...first, id: `${first.id}-of-nobody`, username: 'nobody.known' }];
	if (daysAgo % 20 === 4) return [{ ...first, bytesDown: first.bytesDown + 1 }];
	return daysAgo % 20 === 12 ? [{ ...first, id: `${first.id}-ahead`, atMs: first.atMs + 3 * 24 * HOUR_MS }] : [];
}

/** The opening and the first movements of a second reseller, which is small. */
export function smallBusiness({ reseller, requestId }: Sender): readonly Command[] {
	const request = (step: string) => ({ reseller, requestId: `${requestId}-${step}` });
	return [
		{
			kind: 'credit_reseller',
			...request('pay'),
			amountCents: 100_00,
			reference: 'demo-invoice-harbor',
			reason: 'Bank transfer',
		},
		...['harbor.one', 'harbor.two', 'harbor_test'].flatMap((username): readonly Command[] => [
			{ kind: 'create_sub_user', ...request(`create-${username}`), username, proxyAuthkey: newProxyAuthkey() },
			{ kind: 'give_balance', ...request(`give-${username}`), username, amountCents: 12_50 },
		]),
	];
}

/** Numbers from 0 to 1 that are the same at every start (mulberry32). */
function seededRandom(): () => number {
	let state = 0x6275_7273;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
