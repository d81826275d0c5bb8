import { createFairQueue } from '../fair-queue.ts';
import type { BatchAnswer } from '../store/store.ts';

/** An item that was not run, and the reason. */
interface NotRun {
	readonly ok: false;
	readonly error: 'not_done' | 'outcome_unknown';
}

/** Another transaction holds what the item needs. It was not run, and the others of its batch were. */
export const HELD = Symbol('held');

/** Takes items one by one and runs those that wait together as one batch. */
export interface GroupCommit<Item, Result> {
	/**
	 * Resolves once the batch with the item is durable, or the item certainly or possibly was not run. Never rejects.
	 * `sinceMs`, in monotonic milliseconds, is since when it waits: now, unless it was held before.
	 */
	submit(item: Item, sinceMs?: number): Promise<Result | NotRun | typeof HELD>;
	/** How many items wait to be begun. */
	readonly waiting: number;
	/** Since when the oldest batch is under way, in monotonic milliseconds; infinity where none is. */
	readonly underWaySinceMs: number;
	/** Takes nothing more, and resolves when all that was taken has been answered. */
	stop(): Promise<void>;
}

export interface GroupCommitOptions<Item, Result> {
	/** Runs a batch as one durable transaction. Calls `begun`, if ever, once the next one would come behind it. */
	readonly run: (items: readonly Item[], begun: () => void) => Promise<BatchAnswer<Result>>;
	/** Whose item it is: batches are filled in turns over owners. */
	readonly ownerOf: (item: Item) => string;
	/** Whether a batch holds items of one owner only. */
	readonly oneOwner?: boolean;
	/** The most batches that are under way. */
	readonly atOnce?: number;
	readonly observer: GroupCommitObserver;
	/** The most items in one batch. */
	readonly maxBatch?: number;
	/** The most items that wait: what comes on top of them is shed at once. */
	readonly maxWaiting?: number;
	/** The most items that wait of one owner. */
	readonly maxOfOwner?: number;
	/** An item that has waited this long, in milliseconds, without being given to `run` is refused, and never run. */
	readonly maxWaitMs: number;
	/** Makes a check, whenever a batch is about to be begun, of whether an item may not be run any more. */
	readonly expiredNow?: () => (item: Item) => boolean;
}

export interface GroupCommitObserver {
	batchDone(size: number, durationMs: number): void;
	/** Something went wrong in a way that somebody has to know of. */
	fault(cause: unknown, kind: 'failed_alone' | 'not_done' | 'outcome_unknown'): void;
}

interface Waiting<Item, Result> {
	readonly item: Item;
	readonly sinceMs: number;
	readonly answer: (result: Result | NotRun | typeof HELD) => void;
}

const NOT_DONE: NotRun = { ok: false, error: 'not_done' };
const OUTCOME_UNKNOWN: NotRun = { ok: false, error: 'outcome_unknown' };
const OVERDUE_CHECK_MS = 250;
/** Of the size of a batch that is under way: a smaller one does not start beside it, for it costs nearly as much. */
const SMALLEST_BESIDE = 0.5;

/**
 * Group commit: all items that wait when one batch ends become the next. There is no timer that
 * gathers them, so an item that finds nobody before it starts at once, and the busier it gets, the
 * more items share one lock and one flush to disk. Batches are filled in turns over owners; the items of one owner keep
 * the order in which they came.
 */
export function createGroupCommit<Item, Result>({
	run,
	ownerOf,
	oneOwner = false,
	atOnce = 1,
	observer,
	maxBatch = 512,
	maxWaiting = 8192,
	maxOfOwner = 2048,
	maxWaitMs,
	expiredNow = () => () => false,
}: GroupCommitOptions<Item, Result>): GroupCommit<Item, Result> {
	const queue = createFairQueue<Waiting<Item, Result>>({
		ownerOf: ({ item }) => ownerOf(item),
		maxWaiting,
		maxOfOwner,
	});
	/** Since when each batch is under way, the oldest first. */
	const underWay = new Map<readonly unknown[], number>();
	let isBeginning = false;
	let scheduled = false;
	let stopped = false;
	let overdueTimer: NodeJS.Timeout | undefined;
	const whenIdle: (() => void)[] = [];

	function submit(item: Item, sinceMs = performance.now()): Promise<Result | NotRun | typeof HELD> {
		if (stopped) return Promise.resolve(NOT_DONE);
		return new Promise((answer) => {
			if (queue.add({ item, sinceMs, answer })) startSoon();
			else answer(NOT_DONE);
		});
	}

	/** After this turn of the event loop, so that requests that arrived together share the batch. */
	function startSoon(): void {
		if (!mayStart()) watchOverdue();
		if (!mayStart() || scheduled) return;
		scheduled = true;
		setImmediate(() => {
			scheduled = false;
			start();
			settleIfIdle();
		});
	}

	/** They begin one after the other, so that they keep their order. */
	function mayStart(): boolean {
		if (underWay.size === 0) return true;
		const isWorthIt = [...underWay.keys()].every((batch) => queue.size >= batch.length * SMALLEST_BESIDE);
		return !isBeginning && underWay.size < atOnce && isWorthIt;
	}

	function start(): void {
		// Before anything is judged: from here on the batch may be begun.
		const begunMs = performance.now();
		refuseOverdue();
		if (!mayStart() || queue.size === 0) return;
		const batch = oneOwner ? queue.takeOfNext(maxBatch) : queue.take(maxBatch);
		underWay.set(batch, begunMs);
		isBeginning = true;
		let hasBegun = false;
		const begun = () => {
			if (hasBegun) return;
			hasBegun = true;
			isBeginning = false;
		};
		if (queue.size > 0) watchOverdue();
		const items = batch.map(({ item }) => item);
		const answered = run(items, () => {
			begun();
			if (queue.size > 0) startSoon();
		}).catch(
			// A store never throws. Should one, nobody knows how far it came.
			(cause: unknown): BatchAnswer<Result> => ({ kind: 'outcome_unknown', cause }),
		);
		void answered.then((answer) => {
			underWay.delete(batch);
			begun();
			// Those that were busy waiting come first again; the next batch is on its way before anybody is answered.
			if (answer.kind === 'busy') queue.putBack(batch);
			if (answer.kind === 'committed' && answer.held) holdAllOf(batch.filter((_, place) => answer.held?.has(place)));
			start();
			finish(batch, answer, performance.now() - begunMs);
			settleIfIdle();
		});
	}

	/** What else their owners have waiting would hold up the next batch. */
	function holdAllOf(held: readonly Waiting<Item, Result>[]): void {
		const owners = new Set(held.map(({ item }) => ownerOf(item)));
		for (const { answer } of queue.remove(({ item }) => owners.has(ownerOf(item)))) answer(HELD);
	}

	function finish(batch: readonly Waiting<Item, Result>[], answer: BatchAnswer<Result>, durationMs: number): void {
		switch (answer.kind) {
			case 'busy':
				return;
			case 'committed':
				observer.batchDone(batch.length, durationMs);
				for (const cause of answer.faults) observer.fault(cause, 'failed_alone');
				for (const [place, waiting] of batch.entries()) {
					waiting.answer(answer.held?.has(place) ? HELD : (answer.results[place] as Result));
				}
				return;
			case 'not_done':
			case 'outcome_unknown':
				observer.fault(answer.cause, answer.kind);
				for (const waiting of batch) waiting.answer(answer.kind === 'not_done' ? NOT_DONE : OUTCOME_UNKNOWN);
				return;
		}
	}

	/** The batch that runs may hang: what waits behind it is looked at meanwhile. */
	function watchOverdue(): void {
		overdueTimer ??= setInterval(refuseOverdue, OVERDUE_CHECK_MS);
	}

	/** What cannot be begun in time any more is refused now. */
	function refuseOverdue(): void {
		const oldestAllowedMs = performance.now() - maxWaitMs;
		const isExpired = expiredNow();
		const isOverdue = ({ item, sinceMs }: Waiting<Item, Result>) => sinceMs <= oldestAllowedMs || isExpired(item);
		for (const waiting of queue.remove(isOverdue)) waiting.answer(NOT_DONE);
		if (queue.size === 0 && overdueTimer) {
			clearInterval(overdueTimer);
			overdueTimer = undefined;
		}
	}

	function settleIfIdle(): void {
		if (underWay.size > 0 || queue.size > 0) return;
		for (const resolve of whenIdle.splice(0)) resolve();
	}

	return {
		submit,
		get waiting() {
			return queue.size;
		},
		get underWaySinceMs() {
			const [oldestMs = Number.POSITIVE_INFINITY] = underWay.values();
			return oldestMs;
		},
		stop() {
			stopped = true;
			return new Promise((resolve) => {
				whenIdle.push(resolve);
				settleIfIdle();
			});
		},
	};
}
