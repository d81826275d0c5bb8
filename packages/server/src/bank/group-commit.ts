import { ANSWER_LIMIT_MS } from '@bursar/contract/limits';
import { createFairQueue } from '../fair-queue.ts';
import type { BatchAnswer } from '../store/store.ts';

/** An item that was not run, and the reason. */
interface NotRun {
	readonly ok: false;
	readonly error: 'not_done' | 'rules_failed' | 'outcome_unknown';
	/** Set if its owner has too much waiting. */
	readonly isCallerBusy?: true;
}

/** An item that waits, and how it is answered once. */
interface Waiting<Item, Result> {
	readonly item: Item;
	/** When it began to wait, in monotonic milliseconds. */
	readonly sinceMs: number;
	readonly answer: (result: Result | NotRun) => void;
}

/** Takes items one by one, and runs the items that wait as one batch. */
export interface GroupCommit<Item, Result> {
	/**
	 * Resolves once the batch with the item is durable, or failed, or its outcome is unknown: that is so, too, if the
	 * batch has not ended in time. Never rejects.
	 */
	submit(item: Item): Promise<Result | NotRun>;
	/** Takes an item that waits already: it was held in another group commit. */
	enter(waiting: Waiting<Item, Result>): void;
	/** How many items wait in the queue. */
	readonly waiting: number;
	/** When the oldest unfinished batch started, in monotonic milliseconds; infinity if there is none. */
	readonly underWaySinceMs: number;
	/** Accepts nothing more. Resolves when everything that was accepted has been answered, and no batch runs. */
	stop(): Promise<void>;
}

export interface GroupCommitOptions<Item, Result> {
	/** Runs a batch as one durable transaction. May call `begun` once later batches surely come after it. */
	readonly run: (items: readonly Item[], begun: () => void) => Promise<BatchAnswer<Result>>;
	/** The owner of an item. Owners take turns in each batch. */
	readonly ownerOf: (item: Item) => string;
	/** Whether each batch has items of one owner only. */
	readonly oneOwner?: boolean;
	/** The most batches that run at once. */
	readonly atOnce?: number;
	readonly observer: GroupCommitObserver;
	/** The most items in one batch. */
	readonly maxBatch?: number | undefined;
	/** The most items that wait. Further items are refused at once. */
	readonly maxWaiting?: number;
	/** The most items of one owner that wait. */
	readonly maxOfOwner?: number;
	/** An item that has waited this long, in milliseconds, is refused and never run. */
	readonly maxWaitMs: number;
	/**
	 * An item whose batch still runs is answered `outcome_unknown` after this time, in milliseconds, even if the store
	 * hangs. It must be longer than `maxWaitMs`: then a batch that was not run after all does not run such an item again.
	 */
	readonly answerLimitMs?: number | undefined;
	/**
	 * Called for an item that was not run, because another transaction holds what it needs, and for everything of its owner
	 * that waits behind it. It is not answered here.
	 */
	readonly onHeld?: (waiting: Waiting<Item, Result>) => void;
	/** Called before each batch. Returns a check of whether an item has expired. */
	readonly expiredNow?: () => (item: Item) => boolean;
}

export interface GroupCommitObserver {
	batchDone(size: number, durationMs: number): void;
	/** Called for each fault that the operator has to know of. */
	fault(cause: unknown, kind: 'failed_alone' | 'not_done' | 'outcome_unknown'): void;
}

const NOT_DONE: NotRun = { ok: false, error: 'not_done' };
const CALLER_BUSY: NotRun = { ...NOT_DONE, isCallerBusy: true };
/** Not done, and to try again does not help. */
const FAILED: NotRun = { ok: false, error: 'rules_failed' };
const OUTCOME_UNKNOWN: NotRun = { ok: false, error: 'outcome_unknown' };
const OVERDUE_CHECK_MS = 100;
/** A batch starts beside another one only with at least this share of its size: a small batch costs nearly as much. */
const MIN_SHARE_BESIDE = 0.5;

/**
 * Group commit: all items that wait when a batch ends become the next batch. There is no timer: on an idle service an
 * item starts at once. The busier the service gets, the more items share one lock and one write to disk. Owners take
 * turns. The items of one owner keep their order.
 */
export function createGroupCommit<Item, Result>({
	run,
	ownerOf,
	oneOwner = false,
	atOnce = 1,
	observer,
	/** @bound Commands in one batch: the rest waits for the next batch. */
	maxBatch = 512,
	/** @bound Commands that wait: further ones are answered `unavailable`. */
	maxWaiting = 8192,
	/** @bound Commands of one reseller that wait: further ones of it are answered `unavailable`. */
	maxOfOwner = 2048,
	maxWaitMs,
	answerLimitMs = ANSWER_LIMIT_MS,
	onHeld = ({ answer }) => answer(NOT_DONE),
	expiredNow = () => () => false,
}: GroupCommitOptions<Item, Result>): GroupCommit<Item, Result> {
	const queue = createFairQueue<Waiting<Item, Result>>({
		ownerOf: ({ item }) => ownerOf(item),
		maxWaiting,
		maxOfOwner,
	});
	/** When each unfinished batch started, the oldest first. */
	const underWay = new Map<readonly Waiting<Item, Result>[], number>();
	/** The unfinished batches of which an item was answered before they ended. */
	const hanging = new WeakSet<readonly Waiting<Item, Result>[]>();
	let isBeginning = false;
	let scheduled = false;
	let stopped = false;
	let overdueTimer: NodeJS.Timeout | undefined;
	const whenIdle: (() => void)[] = [];

	function enter(waiting: Waiting<Item, Result>): void {
		if (!stopped && queue.add(waiting)) startSoon();
		else waiting.answer(stopped || queue.size >= maxWaiting ? NOT_DONE : CALLER_BUSY);
	}

	/** Starts after this turn of the event loop, so that requests that arrived together share the batch. */
	function startSoon(): void {
		if (mayStart() && !scheduled) {
			scheduled = true;
			setImmediate(() => {
				scheduled = false;
				start();
				settleIfIdle();
			});
		}
	}

	/** A batch waits until the previous one has begun, so that they keep their order. */
	function mayStart(): boolean {
		if (underWay.size === 0) return true;
		if (isBeginning || underWay.size >= atOnce) return false;
		for (const batch of underWay.keys()) if (queue.size < batch.length * MIN_SHARE_BESIDE) return false;
		return true;
	}

	function start(): void {
		// Measured before expiry is judged: from here on the batch may take effect.
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
		overdueTimer ??= setInterval(watch, OVERDUE_CHECK_MS);
		const items = batch.map(({ item }) => item);
		const answered = run(items, () => {
			begun();
			if (queue.size > 0) startSoon();
		}).catch(
			// A store never throws. If one does, how far it came is unknown.
			(cause: unknown): BatchAnswer<Result> => ({ kind: 'outcome_unknown', cause }),
		);
		void answered.then((answer) => {
			underWay.delete(batch);
			begun();
			// The items of a busy batch come first again. The next batch starts before the answers are sent.
			if (answer.kind === 'busy') queue.putBack(batch);
			const held = answer.kind === 'committed' && answer.held ? withAllBehind(batch, answer.held) : [];
			start();
			finish(batch, answer, performance.now() - begunMs);
			for (const waiting of held) onHeld(waiting);
			settleIfIdle();
		});
	}

	/** The held items, and everything of their owners in the queue, which is removed: it would delay the next batch. */
	function withAllBehind(batch: readonly Waiting<Item, Result>[], indexes: ReadonlySet<number>) {
		const held = batch.filter((_, index) => indexes.has(index));
		const owners = new Set(held.map(({ item }) => ownerOf(item)));
		return [...held, ...queue.remove(({ item }) => owners.has(ownerOf(item)))];
	}

	function finish(batch: readonly Waiting<Item, Result>[], answer: BatchAnswer<Result>, durationMs: number): void {
		switch (answer.kind) {
			case 'busy':
				return;
			case 'committed':
				observer.batchDone(batch.length, durationMs);
				for (const cause of answer.faults) observer.fault(cause, 'failed_alone');
				for (const [index, waiting] of batch.entries()) {
					if (!answer.held?.has(index)) waiting.answer(answer.results[index] as Result);
				}
				return;
			case 'not_done':
			case 'outcome_unknown':
				observer.fault(answer.cause, answer.kind);
				for (const waiting of batch) waiting.answer(notRun(answer));
				return;
		}
	}

	function notRun(answer: Exclude<BatchAnswer<Result>, { readonly kind: 'busy' | 'committed' }>): NotRun {
		if (answer.kind === 'outcome_unknown') return OUTCOME_UNKNOWN;
		return answer.isDefect ? FAILED : NOT_DONE;
	}

	/** A batch that runs may hang. Meanwhile this answers its items, and those that wait. */
	function watch(): void {
		refuseOverdue();
		const oldestAllowedMs = performance.now() - (answerLimitMs - OVERDUE_CHECK_MS);
		for (const batch of underWay.keys()) {
			const late = batch.filter(({ sinceMs }) => sinceMs <= oldestAllowedMs);
			for (const { answer } of late) answer(OUTCOME_UNKNOWN);
			if (late.length === 0 || hanging.has(batch)) continue;
			hanging.add(batch);
			observer.fault(new Error('the store has not answered in time'), 'outcome_unknown');
		}
		if (underWay.size === 0 && queue.size === 0) stopWatching();
	}

	function stopWatching(): void {
		clearInterval(overdueTimer);
		overdueTimer = undefined;
	}

	/** Refuses the items that have waited too long or have expired. */
	function refuseOverdue(): void {
		const oldestAllowedMs = performance.now() - maxWaitMs;
		const isExpired = expiredNow();
		const isOverdue = ({ item, sinceMs }: Waiting<Item, Result>) => sinceMs <= oldestAllowedMs || isExpired(item);
		for (const waiting of queue.remove(isOverdue)) waiting.answer(NOT_DONE);
	}

	function settleIfIdle(): void {
		if (underWay.size > 0 || queue.size > 0) return;
		if (stopped) stopWatching();
		for (const resolve of whenIdle.splice(0)) resolve();
	}

	return {
		submit: (item) => new Promise((answer) => enter({ item, sinceMs: performance.now(), answer })),
		enter,
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
