import { type Random, randomFrom } from '@bursar/testing/random';

/** What a network does to a request, and to its answer. */
interface Course {
	/** Whether, and when, the server gets the request. */
	readonly reaches: 'at_once' | 'twice' | 'soon' | 'late' | 'in_part' | 'never';
	/** What the client sees: at once if the server is asked late or never, otherwise instead of the server's answer. */
	readonly shows: 'answer' | 'answer_late' | 'cut_head' | 'cut_body' | 'page' | 'reset' | 'close' | 'silence';
}

/** Everything that can happen to a request, by name. */
export const FATES = {
	passed: { reaches: 'at_once', shows: 'answer' },
	delayed: { reaches: 'soon', shows: 'answer' },
	/** The client sees the second answer. */
	doubled: { reaches: 'twice', shows: 'answer' },

	reset_before: { reaches: 'never', shows: 'reset' },
	closed_before: { reaches: 'never', shows: 'close' },
	dropped_before: { reaches: 'never', shows: 'silence' },
	page_before: { reaches: 'never', shows: 'page' },
	cut_before: { reaches: 'in_part', shows: 'reset' },

	reset_then_late: { reaches: 'late', shows: 'reset' },
	silence_then_late: { reaches: 'late', shows: 'silence' },
	page_then_late: { reaches: 'late', shows: 'page' },

	reset_after: { reaches: 'at_once', shows: 'reset' },
	closed_after: { reaches: 'at_once', shows: 'close' },
	dropped_after: { reaches: 'at_once', shows: 'silence' },
	page_after: { reaches: 'at_once', shows: 'page' },
	cut_head_after: { reaches: 'at_once', shows: 'cut_head' },
	cut_body_after: { reaches: 'at_once', shows: 'cut_body' },
	late_after: { reaches: 'at_once', shows: 'answer_late' },
} as const satisfies Record<string, Course>;

export type Fate = keyof typeof FATES;

/** What will happen to one request. */
export interface Chance {
	readonly fate: Fate;
	/** How late a late request or answer comes, in milliseconds. */
	readonly delayMs: number;
	/** What a proxy answers instead of the server. */
	readonly page: string;
}

const FAULTS = Object.keys(FATES).filter((fate) => fate !== 'passed') as Fate[];
const FAULT_SHARE = 0.22;
/** The first request of each sixth operation meets the next fault in turn, so that a short run meets all of them. */
const DEALT_EACH = 6;
/** A storm strikes all requests of an operation, its looks too, until it is over. */
const STORM_SHARE = 0.02;
const LONGEST_STORM_REQUESTS = 12;
/** Less than the client's time-out, so the answer still comes in time. */
const SOON_MS = { least: 20, most: 250 };
/** `LATE_MS.least` is more than the client's time-out. Half of the late requests arrive after they have expired. */
export const LATE_MS = { least: 2_100, most: 6_000 };

const HTML = '<html><head><title>Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>';
const PAGES = [
	pageOf('502 Bad Gateway', 'text/html', HTML),
	pageOf('503 Service Unavailable', 'text/html', HTML),
	pageOf('504 Gateway Timeout', 'text/html', HTML),
	pageOf('200 OK', 'text/html', HTML),
	// These could pass for the service's own answer that nothing was done.
	pageOf('503 Service Unavailable', 'text/plain', '', 'Retry-After: 1\r\n'),
	pageOf(
		'503 Service Unavailable',
		'application/json',
		'{"status":503,"message":"upstream","timestamp":1,"data":null}',
		'Retry-After: 1\r\n',
	),
	pageOf('500 Internal Server Error', 'application/json', '{"status":500,"message":"","timestamp":1,"data":null}'),
	pageOf('404 Not Found', 'text/html', HTML),
	pageOf('429 Too Many Requests', 'text/plain', 'slow down'),
];

/**
 * Decides the fate of each request. The fates of an operation depend only on the seed and its number, so they are
 * the same in any order of the operations.
 */
export function seededFates(seed: number): (operation: number) => Chance {
	const operations = new Map<number, { readonly random: Random; stormRequests: number }>();
	return (operation) => {
		let own = operations.get(operation);
		if (own === undefined) {
			const random = randomFrom(seed ^ Math.imul(operation + 1, 0x9e3779b1));
			const isStorm = random.next() < STORM_SHARE;
			own = { random, stormRequests: isStorm ? 1 + random.below(LONGEST_STORM_REQUESTS) : 0 };
			operations.set(operation, own);
			const dealt = operation % DEALT_EACH === 0 ? FAULTS[(operation / DEALT_EACH) % FAULTS.length] : undefined;
			if (dealt) return chance(random, dealt);
		}
		const { random } = own;
		const isStruck = random.next() < FAULT_SHARE || own.stormRequests-- > 0;
		return chance(random, isStruck ? one(random, FAULTS) : 'passed');
	};
}

function chance(random: Random, fate: Fate): Chance {
	return { fate, delayMs: delayOf(random, fate), page: one(random, PAGES) };
}

function delayOf(random: Random, fate: Fate): number {
	const { reaches, shows } = FATES[fate];
	if (reaches === 'soon') return between(random, SOON_MS);
	// A client that sees nothing waits until its time-out.
	const isAfterTimeout = shows === 'silence' || shows === 'answer_late';
	return between(random, isAfterTimeout ? LATE_MS : { least: 1, most: LATE_MS.most });
}

function between(random: Random, { least, most }: typeof LATE_MS): number {
	return least + random.below(most - least + 1);
}

function one<Item>(random: Random, items: readonly Item[]): Item {
	return items[random.below(items.length)] as Item;
}

function pageOf(status: string, type: string, text: string, more = ''): string {
	return `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\n${more}Content-Length: ${text.length}\r\nConnection: close\r\n\r\n${text}`;
}
