import { CREATE_FEE_CENTS } from '@bursar/contract/limits';
import { priceTarget } from '@bursar/contract/price';
import type { Command } from '../../commands/registry.ts';
import { newId, newProxyAuthkey } from '../../credentials.ts';
import { UNITS_OF_CENT } from '../../domain/metering.ts';
import { refusalOf } from '../../domain/pair-state.ts';
import { type ArrivedReport, type CounterReading, startOfDayMs } from '../../domain/usage.ts';
import type { Store } from '../../store/store.ts';

/** What happened at one time. */
export interface DemoHour {
	/** Unix milliseconds. */
	readonly atMs: number;
	readonly commands: readonly Command[];
	/** Whether the reseller's person did it on the dashboard, and not a program with the API. */
	readonly isByPerson?: boolean;
	/** What arrived from edges, and in files. */
	readonly reports?: readonly ArrivedReport[];
}

type DemoReads = Pick<Store, 'findAccount' | 'readPairBounds'>;

interface Span {
	readonly firstDay: number;
	readonly lastDay: number;
}

interface Customer {
	readonly username: string;
	/** In the order in which they join. */
	readonly index: number;
	readonly joinDay: number;
	/** What it uses on a usual day, up and down together. */
	readonly dayBytes: number;
}

/** What a GB costs the demo reseller, in micro-dollars. */
export const DEMO_PRICE = 500_000;
export const EDGES = ['eu-frankfurt-1', 'eu-paris-1', 'us-east-1', 'ap-tokyo-1'] as const;

/** In the order in which they join. */
export const SUB_USERS = `
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
/** It gets no balance after its first, and so runs out. */
const FORGOTTEN = 'priya.n';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MEGABYTE = 1_000_000;
/** So many of the last days cost something. */
const PRICED_DAYS = 14;
/** On the afternoon of every second of the last days, the reseller's person is at work. */
const PERSON_DAYS = 30;
const PAYMENT_CENTS = 250_00;
/** The reseller keeps this much in the morning: more than it gives in an afternoon. */
const RESERVE_CENTS = 25_00;
/** Who has less than for these days gets balance for more days. */
const LOW_DAYS = 3;
const GIVEN_DAYS = 10;
/** How often edges report a sub-user. */
const READING_HOURS = 6;

/**
 * Months of a believable business, ending now: sub-users who join one after another, payments, gifts, money taken back,
 * and bandwidth that is lower on weekends, rises slowly, and costs something in the last weeks. The oldest hour comes first.
 * The caller writes each hour to the store before it asks for the next, because amounts go by what the store says. Everything
 * but the keys is the same at every start.
 */
export async function* demoBusiness(
	store: DemoReads,
	reseller: string,
	span: Span,
	nowMs: number,
): AsyncGenerator<DemoHour> {
	const random = seededRandom();
	for (let day = span.firstDay; day <= span.lastDay; day++) {
		const daysAgo = span.lastDay - day;
		const startMs = startOfDayMs(day);
		const customers = customersOn(day, span);
		if (daysAgo < PRICED_DAYS) {
			const atMs = Math.min(startMs + (daysAgo === PRICED_DAYS - 1 ? 0 : MINUTE_MS), nowMs);
			yield { atMs, commands: nightly(reseller, customers, day, daysAgo) };
		}
		const accepted = await acceptedOf(store, reseller, customers, startMs + MINUTE_MS);
		const known = accepted.filter(({ username }) => username !== FORGOTTEN);
		const morningMs = startMs + Math.floor((9 + random()) * HOUR_MS);
		if (morningMs < nowMs) {
			const joining = customers.filter(({ joinDay }) => joinDay === day);
			const low = known.filter(({ leftBytes, dayBytes }) => leftBytes < LOW_DAYS * dayBytes);
			const gifts = [...joining, ...low].map((each) => give(reseller, each.username, giftCents(each)));
			const creations = joining.map(({ username }) => create(reseller, username));
			const cents = gifts.reduce((sum, { amountCents }) => sum + amountCents, creations.length * CREATE_FEE_CENTS);
			const { balanceCents = 0 } = (await store.findAccount(reseller, reseller)) ?? {};
			const payments = Math.max(0, Math.ceil((cents + RESERVE_CENTS - balanceCents) / PAYMENT_CENTS));
			const payment = payments > 0 ? [credit(reseller, payments * PAYMENT_CENTS, `demo-invoice-${day}`)] : [];
			yield { atMs: morningMs, commands: [...payment, ...creations, ...gifts] };
		}
		const afternoonMs = startMs + Math.floor((15 + random()) * HOUR_MS);
		const anyone = known[Math.floor(random() * known.length)];
		if (anyone && afternoonMs < nowMs) {
			const isByPerson = daysAgo < PERSON_DAYS && daysAgo % 2 === 0;
			const note = isByPerson ? 'Asked for more by mail' : undefined;
			const gift = give(reseller, anyone.username, giftCents(anyone), note);
			const half = { ...of(reseller, anyone.username), amountCents: gift.amountCents / 2 };
			const taken: readonly Command[] = random() < 0.4 ? [{ kind: 'take_balance', ...half }] : [];
			yield { atMs: afternoonMs, commands: [gift, ...taken], isByPerson };
		}
		if (daysAgo === 1) yield { atMs: startMs + 20 * HOUR_MS, commands: eveningOf(reseller), isByPerson: true };
		const atMs = Math.min(startMs + 24 * HOUR_MS - MINUTE_MS, nowMs);
		const readings = accepted.flatMap((each) => readingsOf(each, { day, atMs }, random));
		const others = otherReadings(day, atMs);
		yield { atMs, commands: [], reports: [...readings, ...others, ...(daysAgo % 9 === 4 ? importedFile(day) : [])] };
	}
}

/** The price of bandwidth, and from the next day on what is due. In the last night, some sub-users change. */
function nightly(reseller: string, customers: readonly Customer[], day: number, daysAgo: number): readonly Command[] {
	const request = { reseller, requestId: newId() };
	if (daysAgo === PRICED_DAYS - 1) {
		const done = { kind: 'set_price', requestId: request.requestId } as const;
		const act = { ...done, id: newId(), target: priceTarget(reseller, DEMO_PRICE), systemUser: 'demo' };
		return [{ ...request, ...done, act, microUsdPerGb: DEMO_PRICE }];
	}
	const usernames = customers.map(({ username }) => username);
	return [{ kind: 'post_usage', ...request, usernames }, ...(daysAgo === 1 ? changesOn(reseller, day) : [])];
}

/** Those whose pairs the proxies accept. */
async function acceptedOf(store: DemoReads, reseller: string, customers: readonly Customer[], atMs: number) {
	const usernames = customers.map(({ username }) => username);
	const bounds = await store.readPairBounds({ reseller, usernames, atMs });
	return customers.flatMap((customer) => {
		const pair = bounds.get(customer.username);
		if (!pair || refusalOf(pair, atMs) !== null) return [];
		const { leftBytes, limitLeftBytes } = pair;
		return [
			{
				...customer,
				leftBytes: leftBytes ?? Number.POSITIVE_INFINITY,
				mayUseBytes: Math.min(leftBytes ?? Number.POSITIVE_INFINITY, limitLeftBytes ?? Number.POSITIVE_INFINITY),
			},
		];
	});
}

/** The first ones are there from the beginning; the last ones join shortly before today. */
function customersOn(day: number, { firstDay, lastDay }: Span): readonly Customer[] {
	return SUB_USERS.map((username, index) => ({
		...{ username, index },
		joinDay: firstDay + Math.floor((Math.max(0, index - 7) * (lastDay - firstDay - 2)) / SUB_USERS.length),
		dayBytes: (2000 / (1 + ((index * 17) % SUB_USERS.length) / 8)) * (1 + (day - firstDay) / 120) * MEGABYTE,
	})).filter(({ joinDay }) => joinDay <= day);
}

/** What a sub-user gets at once, in USD cents. */
function giftCents({ dayBytes }: Customer): number {
	return Math.ceil((GIVEN_DAYS * dayBytes * DEMO_PRICE) / UNITS_OF_CENT / 50) * 50;
}

function of(reseller: string, username: string) {
	return { reseller, requestId: newId(), username };
}

export function credit(reseller: string, amountCents: number, reference: string): Command {
	return { kind: 'credit_reseller', reseller, requestId: newId(), amountCents, reference, reason: 'Bank transfer' };
}

export function create(reseller: string, username: string): Command {
	return { kind: 'create_sub_user', ...of(reseller, username), proxyAuthkey: newProxyAuthkey() };
}

export function give(reseller: string, username: string, amountCents: number, note?: string) {
	return { kind: 'give_balance', ...of(reseller, username), amountCents, note } as const;
}

/** Sub-users with limits and notes, an expired, a suspended and a deleted one. */
function changesOn(reseller: string, day: number): readonly Command[] {
	const to = (username: string) => of(reseller, username);
	return [
		{ kind: 'set_limits', ...to('crawler.us'), limits: { dayBytes: 20_000 * MEGABYTE, connections: 50 } },
		{ kind: 'set_limits', ...to('price.watch'), limits: { monthBytes: 100_000 * MEGABYTE, bytesPerSecond: 1_250_000 } },
		{ kind: 'set_limits', ...to('qa.staging'), limits: { allowedIps: ['192.0.2.0/24', '2001:db8::/48'] } },
		{ kind: 'set_limits', ...to('ticket_scan'), limits: { expiresAtMs: startOfDayMs(day) } },
		{ kind: 'set_note', ...to('crawler.us'), note: 'Night runs, asks before it grows' },
		{ kind: 'set_note', ...to('sneaker_bot'), note: 'Suspended until the last invoice is paid' },
		{ kind: 'suspend_sub_user', ...to('sneaker_bot') },
		{ kind: 'delete_sub_user', ...to('ad_check.2') },
	];
}

/** What the person changes on the last evening: other limits, a note, a create whose name is taken, and one with all. */
function eveningOf(reseller: string): readonly Command[] {
	const to = (username: string) => of(reseller, username);
	const createWith = (username: string) =>
		({ kind: 'create_sub_user_with', ...to(username), proxyAuthkey: newProxyAuthkey() }) as const;
	return [
		{ kind: 'set_limits', ...to('crawler.us'), limits: { dayBytes: 40_000 * MEGABYTE, connections: 80 } },
		{ kind: 'set_limits', ...to('geo_test.br'), limits: { dayBytes: 20 * MEGABYTE } },
		{ kind: 'set_note', ...to('crawler.us'), note: 'Grew on Monday, asked before' },
		{ ...createWith('crawler.us'), limits: {}, note: '' },
		{ ...createWith('crawler.asia'), amountCents: 5_00, limits: { monthBytes: 50_000 * MEGABYTE }, note: 'On trial' },
	];
}

/** The sub-users of the small reseller. */
export const OTHERS = ['harbor.one', 'harbor.two', 'harbor_test'] as const;

/** What an edge reports of them at the end of a day. */
function otherReadings(day: number, atMs: number): readonly CounterReading[] {
	return OTHERS.map((username, index) => ({
		...{ edge: EDGES[index] as string, edgeBytesPerMs: Number.POSITIVE_INFINITY, counter: `${username} ${day}` },
		...{
			username,
			atMs,
			bytesUp: (6 - index) * MEGABYTE,
			bytesDown: (1_500 - index * 600 + (day % 5) * 40) * MEGABYTE,
		},
	}));
}

/** What edges report of a day until a time of it: more in the afternoon than at night. Some days have no traffic. */
function readingsOf(
	{ username, index, dayBytes, mayUseBytes }: Customer & { readonly mayUseBytes: number },
	{ day, atMs: untilMs }: { readonly day: number; readonly atMs: number },
	random: () => number,
): readonly CounterReading[] {
	if (random() < 0.03) return [];
	// 1970-01-01 was a Thursday.
	const weekend = [2, 3].includes(day % 7) ? 0.45 : 1;
	const bytes = dayBytes * weekend * (0.6 + random() * 0.8);
	const upShare = 0.03 + random() * 0.06;
	const readings: CounterReading[] = [];
	let left = mayUseBytes;
	for (let hour = index % READING_HOURS; hour < 24 && left > 0; hour += READING_HOURS) {
		const atMs = startOfDayMs(day) + hour * HOUR_MS;
		if (atMs > untilMs) break;
		// The shares of a day are 1 together.
		const share = (READING_HOURS / 24) * (1 - Math.cos(((hour - 3) * Math.PI) / 12) / 1.2);
		const used = Math.min(left, Math.ceil(bytes * share));
		const bytesUp = Math.floor(used * upShare);
		left -= used;
		readings.push({
			edge: EDGES[(index + Math.floor(hour / READING_HOURS)) % EDGES.length] as string,
			edgeBytesPerMs: Number.POSITIVE_INFINITY,
			counter: `${username} ${day} ${hour}`,
			...{ username, atMs, bytesUp, bytesDown: used - bytesUp },
		});
	}
	return readings;
}

/** A file of another proxy, as it is imported now and then: one report counts, and the others are repeated or refused. */
function importedFile(day: number): readonly ArrivedReport[] {
	const atMs = startOfDayMs(day);
	const report = {
		source: 'old-proxy',
		id: `${day}`,
		username: 'alice',
		atMs,
		bytesUp: MEGABYTE,
		bytesDown: 25 * MEGABYTE,
	};
	return [
		report,
		report,
		{ ...report, bytesDown: 26 * MEGABYTE },
		{ ...report, id: `${day}-of-nobody`, username: 'nobody.known' },
		{ ...report, id: `${day}-ahead`, atMs: atMs + 72 * HOUR_MS },
	];
}

/** Numbers from 0 to 1 that are the same at every start (Lehmer). */
function seededRandom(): () => number {
	const modulus = 2 ** 31 - 1;
	let state = 6_275_273;
	return () => {
		state = (state * 48_271) % modulus;
		return state / modulus;
	};
}
