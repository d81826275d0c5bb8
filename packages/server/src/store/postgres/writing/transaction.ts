import { setTimeout as delay } from 'node:timers/promises';
import type { BatchAnswer, Committed } from '../../store.ts';
import type { Connections, Query } from '../database/connections.ts';
import { faultKind } from '../database/faults.ts';
import { LIMITS } from '../database/limits.ts';
import type { Statement } from '../rows.ts';
import { beginMarked, type CommitMark, commit, createCommitMark, limitsAfter, nextMark } from './commit-mark.ts';

/** The result of a batch before its COMMIT. */
interface BatchWork<Result> extends Omit<Committed<Result>, 'kind'> {
	/** The statements that are sent together with COMMIT. */
	readonly writes: readonly Statement[];
	/**
	 * Whether the batch must be committed: it writes something, or one of its results reports success. An earlier change
	 * that is reported again has to be proven durable by one more commit.
	 */
	readonly mustCommit: boolean;
}

/** Locks, loads and decides a batch, inside a transaction that the caller began. */
export type Transaction<Item, Result> = (
	query: Query,
	items: readonly Item[],
	nowMs: number,
) => Promise<BatchWork<Result>>;

/** Runs batches, each as a transaction. */
export interface BatchWriter<Item, Result> {
	/** Never rejects. Calls `begun` once the batch holds its locks: a batch that is run from then on comes after it. */
	run(items: readonly Item[], nowMs: number, begun?: () => void): Promise<BatchAnswer<Result>>;
	/** Resolves when every batch has been answered. */
	idle(): Promise<void>;
}

/** Runs one transaction at a time, and has a commit mark of its own. */
interface Lane {
	mark: CommitMark;
	/** How many of the latest transactions in a row ended with an unknown outcome. */
	unknowns: number;
	last: Promise<unknown>;
	waiting: number;
}

const RETRY_MS = 20;

/**
 * Batches find every row by its key. If statistics are missing or old, the planner would sometimes read whole tables
 * instead.
 */
const KEYS_ONLY = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']
	.map((plan) => `SET LOCAL ${plan} = off`)
	.join('; ');

/** With several `lanes`, a batch locks and loads while the previous one is being committed. */
export function createBatchWriter<Item, Result>(
	connections: Connections,
	{ lanes: laneCount, prepareMs, transaction, skippingHeld, oneByOne }: BatchWriterOptions<Item, Result>,
): BatchWriter<Item, Result> {
	const lanes = Array.from(
		{ length: laneCount },
		(): Lane => ({ mark: createCommitMark(), unknowns: 0, last: Promise.resolve(), waiting: 0 }),
	);

	/**
	 * Runs a batch, and runs it again while there is time if it conflicts with another one or loses its connection before
	 * COMMIT is sent. If it waits too long for a lock, runs it with `skippingHeld`. If something in it cannot be written,
	 * runs it with `oneByOne`.
	 */
	async function run(
		lane: Lane,
		items: readonly Item[],
		nowMs: number,
		begun: () => void,
	): Promise<BatchAnswer<Result>> {
		const giveUpAtMs = performance.now() + prepareMs;
		const ways = [transaction, skippingHeld, oneByOne].filter((way) => way !== undefined);
		let way = transaction;
		for (;;) {
			try {
				const lockMs = way === transaction ? LIMITS.lockMs : LIMITS.heldLockMs;
				return await attempt(lane, (query) => way(query, items, nowMs), { giveUpAtMs, lockMs }, begun);
			} catch (cause) {
				const kind = faultKind(cause);
				const nextWay = kind === 'busy' ? ways[ways.indexOf(way) + 1] : kind === 'batch' ? oneByOne : undefined;
				const hasTime = performance.now() + RETRY_MS < giveUpAtMs;
				// Another transaction may hold the row of this mark.
				if (kind === 'busy') lane.mark = createCommitMark();
				if (nextWay && nextWay !== way && hasTime) way = nextWay;
				else if (kind === 'again' && hasTime) await delay(RETRY_MS * Math.random());
				else return kind === 'busy' ? { kind: 'busy' } : { kind: 'not_done', cause, isDefect: kind === 'defect' };
			}
		}
	}

	/** Throws if nothing was done, certainly. */
	async function attempt(
		lane: Lane,
		work: (query: Query) => Promise<BatchWork<Result>>,
		{ giveUpAtMs, lockMs }: { readonly giveUpAtMs: number; readonly lockMs: number },
		begun: () => void,
	): Promise<BatchAnswer<Result>> {
		const lease = await connections.acquire(giveUpAtMs);
		lane.mark = nextMark(lane.mark);
		let done: BatchWork<Result>;
		try {
			const beginning = lease.query(`${beginMarked(lane.mark, { lockMs, idleMs: LIMITS.idleMs })}; ${KEYS_ONLY}`);
			// BEGIN and the queries are sent together. If BEGIN fails, so must every query.
			const query: Query = async (sql, values) => (await Promise.all([lease.query<never>(sql, values), beginning]))[0];
			[done] = await Promise.all([work(query), beginning]);
		} catch (cause) {
			lease.destroy();
			throw cause;
		}
		const { writes, mustCommit, ...answer } = done;
		if (!mustCommit) {
			begun();
			// The answer does not wait for the ROLLBACK. If it fails, the locks end with the connection.
			lease.query('ROLLBACK').then(lease.release, lease.destroy);
			return { kind: 'committed', ...answer };
		}
		// If this thread was blocked, the timer that ends the lease was blocked too.
		if (performance.now() > giveUpAtMs) {
			lease.destroy();
			throw new Error('the batch has taken too long to send its COMMIT');
		}
		const committing = commit(lease, lane.mark, connections, writes, limitsAfter(lane.unknowns));
		begun();
		const ending = await committing;
		lane.unknowns = ending.kind === 'outcome_unknown' ? lane.unknowns + 1 : 0;
		// The row of this mark may stay locked for long. With a new mark, the next batch does not wait for it.
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
	/** How many transactions may run at once. */
	readonly lanes: number;
	/** From the beginning of a batch until its COMMIT is sent, with all repetitions, in milliseconds. */
	readonly prepareMs: number;
	readonly transaction: Transaction<Item, Result>;
	/** For a batch that waited too long for a lock. Leaves out the items that need a held lock. */
	readonly skippingHeld?: Transaction<Item, Result>;
	/** For a batch in which something cannot be written. Runs each item separately. */
	readonly oneByOne?: Transaction<Item, Result>;
}
