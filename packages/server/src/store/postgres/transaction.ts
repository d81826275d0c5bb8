import { setTimeout as delay } from 'node:timers/promises';
import type { BatchAnswer, Committed } from '../store.ts';
import { beginMarked, type CommitMark, commit, createCommitMark, limitsAfter, nextMark } from './commit-mark.ts';
import type { Connections, Query } from './connections.ts';
import { faultKind } from './faults.ts';
import { LIMITS } from './limits.ts';
import type { Statement } from './rows.ts';

/** What a batch came to. */
interface BatchWork<Result> extends Omit<Committed<Result>, 'kind'> {
	/** What is still to be written: it is sent together with COMMIT. */
	readonly writes: readonly Statement[];
	/**
	 * Whether something is to be written, has been, or is said to be done by a result: also what was done before
	 * has to be proven durable, by one more commit, where somebody relies on hearing of it again.
	 */
	readonly mustCommit: boolean;
}

/** Locks, loads and decides a batch. The transaction around it is not its business. */
export type Transaction<Item, Result> = (
	query: Query,
	items: readonly Item[],
	nowMs: number,
) => Promise<BatchWork<Result>>;

/** Runs batches, each as a transaction. */
export interface BatchWriter<Item, Result> {
	/** Never rejects. `begun` is called once what the batch names is locked: what is run from then on comes behind it. */
	run(items: readonly Item[], nowMs: number, begun?: () => void): Promise<BatchAnswer<Result>>;
	/** Resolves when all that was taken has been answered. */
	idle(): Promise<void>;
}

/** Has one transaction at a time under way, and marks its commits with a row of its own. */
interface Lane {
	mark: CommitMark;
	/** How many of the latest transactions ended with an outcome that nobody knows. */
	unknowns: number;
	last: Promise<unknown>;
	waiting: number;
}

const RETRY_MS = 20;

/**
 * Batches find all that they need by its key. Where statistics are missing or old, the planner would
 * rather read whole tables now and then.
 */
const KEYS_ONLY = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']
	.map((plan) => `SET LOCAL ${plan} = off`)
	.join('; ');

/** With several `lanes`, a batch locks and loads while the previous one is being committed. */
export function createBatchWriter<Item, Result>(
	connections: Connections,
	{ lanes: laneCount, prepareMs, transaction, passingHeld, oneByOne }: BatchWriterOptions<Item, Result>,
): BatchWriter<Item, Result> {
	const lanes = Array.from(
		{ length: laneCount },
		(): Lane => ({ mark: createCommitMark(), unknowns: 0, last: Promise.resolve(), waiting: 0 }),
	);

	/**
	 * Again, while there is time, for as long as the batch meets others or loses its connection before COMMIT is sent.
	 * If it waits too long for a lock, or something in it cannot be written, in the way that is made for that.
	 */
	async function run(
		lane: Lane,
		items: readonly Item[],
		nowMs: number,
		begun: () => void,
	): Promise<BatchAnswer<Result>> {
		const giveUpAt = performance.now() + prepareMs;
		const ways = [transaction, passingHeld, oneByOne].filter((way) => way !== undefined);
		let way = transaction;
		for (;;) {
			try {
				const lockMs = way === transaction ? LIMITS.lockMs : LIMITS.heldLockMs;
				return await attempt(lane, (query) => way(query, items, nowMs), { giveUpAt, lockMs }, begun);
			} catch (cause) {
				const kind = faultKind(cause);
				const nextWay = kind === 'busy' ? ways[ways.indexOf(way) + 1] : kind === 'batch' ? oneByOne : undefined;
				const hasTime = performance.now() + RETRY_MS < giveUpAt;
				// It may be the row of this mark that another transaction holds.
				if (kind === 'busy') lane.mark = createCommitMark();
				if (nextWay && nextWay !== way && hasTime) way = nextWay;
				else if (kind === 'again' && hasTime) await delay(RETRY_MS * Math.random());
				else return kind === 'busy' ? { kind: 'busy' } : { kind: 'not_done', cause };
			}
		}
	}

	/** Throws where certainly nothing was done. */
	async function attempt(
		lane: Lane,
		work: (query: Query) => Promise<BatchWork<Result>>,
		{ giveUpAt, lockMs }: { readonly giveUpAt: number; readonly lockMs: number },
		begun: () => void,
	): Promise<BatchAnswer<Result>> {
		const lease = await connections.acquire(giveUpAt);
		lane.mark = nextMark(lane.mark);
		let done: BatchWork<Result>;
		try {
			const beginning = lease.query(`${beginMarked(lane.mark, { lockMs, idleMs: LIMITS.idleMs })}; ${KEYS_ONLY}`);
			// Sent together with what it begins. Where it fails, none of that may be believed, or be followed by more.
			const query: Query = async (sql, values) => (await Promise.all([lease.query<never>(sql, values), beginning]))[0];
			[done] = await Promise.all([work(query), beginning]);
		} catch (cause) {
			lease.destroy();
			throw cause;
		}
		const { writes, mustCommit, ...answer } = done;
		if (!mustCommit) {
			begun();
			// Nobody has to wait for it, and where it fails the locks end with the connection.
			lease.query('ROLLBACK').then(lease.release, lease.destroy);
			return { kind: 'committed', ...answer };
		}
		// This thread may have stood still, and the timer that ends the lease with it.
		if (performance.now() > giveUpAt) {
			lease.destroy();
			throw new Error('the batch has taken too long to send its COMMIT');
		}
		const committing = commit(lease, lane.mark, connections, writes, limitsAfter(lane.unknowns));
		begun();
		const ending = await committing;
		lane.unknowns = ending.kind === 'outcome_unknown' ? lane.unknowns + 1 : 0;
		// Somebody may hold the row of this mark for long: the next batch does not wait for that.
		if (lane.unknowns > 0) lane.mark = createCommitMark();
		return ending.kind === 'committed' ? { kind: 'committed', ...answer } : ending;
	}

	return {
		run(items, nowMs, begun = () => {}) {
			const lane = lanes.reduce((least, each) => (each.waiting < least.waiting ? each : least));
			lane.waiting++;
			const answer = lane.last
				.then(() => run(lane, items, nowMs, begun))
				.finally(() => {
					lane.waiting--;
				});
			lane.last = answer;
			return answer;
		},
		async idle() {
			await Promise.all(lanes.map(({ last }) => last));
		},
	};
}

export interface BatchWriterOptions<Item, Result> {
	/** How many transactions may be under way at once. */
	readonly lanes: number;
	/** From the beginning of a batch until its COMMIT is sent, with every repetition, in milliseconds. */
	readonly prepareMs: number;
	readonly transaction: Transaction<Item, Result>;
	/** For a batch that waited too long for a lock: leaves out the items for which that lock is needed. */
	readonly passingHeld?: Transaction<Item, Result>;
	/** For a batch with something in it that cannot be written: runs each item by itself. */
	readonly oneByOne?: Transaction<Item, Result>;
}
