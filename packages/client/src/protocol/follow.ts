import { UnexpectedAnswerError } from '../errors.ts';
import type { FollowedEvents } from '../options.ts';
import type { Page } from '../resources/list.ts';
import type { BeginCall } from './call.ts';
import { errorOf, mayPass } from './reply.ts';

const FIRST_PAUSE_MS = 250;
/** @bound A pause between two attempts to follow events, without the time that `Retry-After` asks for: pauses do not grow beyond it. */
const LONGEST_PAUSE_MS = 30_000;
/** @bound The time that `Retry-After` asks for while events are followed: a longer one counts as this. */
const MOST_RETRY_AFTER_MS = 300_000;
/** A service that does not wait is not asked more often than this, in milliseconds. */
const UNWAITED_PAUSE_MS = 1_000;

type ReadPage<Item> = (data: unknown) => Required<Page<Item> & { readonly next: string }> | undefined;

/** Reads events from a place on, page by page, and waits for those to come. */
export async function* follow<Item extends { readonly next: string }>(
	begin: BeginCall,
	wanted: FollowedEvents,
	readData: ReadPage<Item>,
): AsyncGenerator<Item> {
	let { after } = wanted;
	for (;;) {
		const askedAtMs = performance.now();
		const { items, next, more } = await readPage(begin, wanted, after, readData);
		yield* items;
		if (next !== after && next !== items.at(-1)?.next) wanted.onNext?.(next);
		const isUnwaited = items.length === 0 && !more && next === after;
		after = next;
		const leftMs = UNWAITED_PAUSE_MS - (performance.now() - askedAtMs);
		if (isUnwaited && leftMs > 0) await begin(wanted.callOptions).wait(leftMs);
	}
}

/** Tries until there is a page, or a failure that cannot pass. */
async function readPage<Item>(
	begin: BeginCall,
	{ types, waitSeconds, limit, callOptions }: FollowedEvents,
	after: string | undefined,
	readData: ReadPage<Item>,
) {
	const body = { after, types, limit, wait_seconds: waitSeconds };
	for (let failures = 1; ; failures++) {
		const call = begin(callOptions);
		const heldMs = waitSeconds * 1000;
		const reply = await call.send({ operation: 'viewEventPage', body, heldMs, readData });
		if (reply.kind === 'answered') return reply.data;
		callOptions.signal?.throwIfAborted();
		const { failure } = reply;
		// Until the service has answered once, the address may be wrong.
		const isStranger = failure.type === UnexpectedAnswerError && failure.status === 200 && !call.service.nowMs;
		if (isStranger || !mayPass(failure)) throw errorOf(failure);
		await call.wait(pauseMs(failures, failure.retryAfterMs));
	}
}

/** How long to wait after so many failures in a row. `random` is from 0 to 1, so that clients do not retry together. */
export function pauseMs(failures: number, retryAfterMs = 0, random = Math.random()): number {
	const longest = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
	return Math.min(retryAfterMs, MOST_RETRY_AFTER_MS) + longest * (0.5 + random / 2);
}
