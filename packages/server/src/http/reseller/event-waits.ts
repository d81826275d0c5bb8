import type { ServerResponse } from 'node:http';
import { CallerBusyError, StoreUnavailableError } from '../../store/reading.ts';
import type { EventReads } from '../../store/tables/events/events.ts';

/** @bound Requests of one reseller that wait for events: a further one is answered `unavailable`. */
const WAITS_OF_RESELLER = 4;
/** @bound Requests of all resellers that wait for events: a further one is answered `unavailable`. */
const WAITS = 1_000;
/** How often the store is asked for all that wait, in milliseconds. */
const LOOK_MS = 1_000;

/** Requests that wait for events. One look at the store each second serves all of them. */
export interface EventWaits {
	/**
	 * Begins to wait for events of a reseller, for `ms` at most: until then, or until the response or the service closes.
	 * Throws `StoreUnavailableError`, or `CallerBusyError` if the reseller has too many.
	 */
	begin(reseller: string, ms: number, response: ServerResponse): EventWait;
	/** Ends all waits, and begins no more. */
	close(): void;
}

interface EventWait {
	/** Whether the newest event of the reseller has another number by now. Resolves with `false` once the wait is over. */
	newestIsNot(number: number): Promise<boolean>;
	end(): void;
}

/** A wait that has not ended, and what the look tells it. */
interface Waiting {
	readonly reseller: string;
	looked(newest: number | undefined): void;
	end(): void;
}

export function createEventWaits(
	store: Pick<EventReads, 'listNewestEvents'>,
	{ lookMs = LOOK_MS }: { readonly lookMs?: number | undefined } = {},
): EventWaits {
	const waits = new Set<Waiting>();
	const counts = new Map<string, number>();
	let timer: NodeJS.Timeout | undefined;
	let isLooking = false;
	let isClosed = false;

	function add(waiting: Waiting): void {
		const count = counts.get(waiting.reseller) ?? 0;
		if (count >= WAITS_OF_RESELLER) throw new CallerBusyError('too many requests of the reseller wait for events');
		if (waits.size >= WAITS) throw new StoreUnavailableError('too many requests wait for events');
		waits.add(waiting);
		counts.set(waiting.reseller, count + 1);
		timer ??= setInterval(() => void look(), lookMs).unref();
	}

	function remove(waiting: Waiting): void {
		if (!waits.delete(waiting)) return;
		const count = (counts.get(waiting.reseller) ?? 0) - 1;
		if (count > 0) counts.set(waiting.reseller, count);
		else counts.delete(waiting.reseller);
		if (waits.size > 0) return;
		clearInterval(timer);
		timer = undefined;
	}

	/** If the store cannot be asked, the waits go on. When they are over, their own reads say so. */
	async function look(): Promise<void> {
		if (isLooking) return;
		isLooking = true;
		try {
			const newest = await store.listNewestEvents([...counts.keys()]);
			for (const waiting of waits) waiting.looked(newest.get(waiting.reseller));
		} catch {
		} finally {
			isLooking = false;
		}
	}

	return {
		begin(reseller, ms, response) {
			let isOver = isClosed || response.destroyed;
			let awaited: { readonly number: number; readonly resolve: (isChanged: boolean) => void } | undefined;
			const settle = (isChanged: boolean) => {
				awaited?.resolve(isChanged);
				awaited = undefined;
			};
			const waiting: Waiting = {
				reseller,
				looked(newest) {
					if (newest !== undefined && awaited && newest !== awaited.number) settle(true);
				},
				end() {
					isOver = true;
					clearTimeout(late);
					response.off('close', waiting.end);
					remove(waiting);
					settle(false);
				},
			};
			if (!isOver) add(waiting);
			const late = isOver ? undefined : setTimeout(waiting.end, ms);
			response.once('close', waiting.end);
			return {
				newestIsNot(number) {
					if (isOver) return Promise.resolve(false);
					return new Promise((resolve) => {
						awaited = { number, resolve };
					});
				},
				end: waiting.end,
			};
		},
		close() {
			isClosed = true;
			for (const waiting of [...waits]) waiting.end();
		},
	};
}
