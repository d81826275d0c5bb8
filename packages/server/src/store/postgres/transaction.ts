import { setTimeout as delay } from 'node:timers/promises';
import type { BatchAnswer } from '../store.ts';
import { beginSql, type CommitMark, commit, createCommitMark, limitsAfter, nextMark } from './commit-mark.ts';
import type { Connections, Lease } from './connections.ts';
import { faultKind } from './faults.ts';
import type { Statement } from './rows.ts';

/** Runs statements of a transaction; each rejects where the transaction did not begin. */
export type Query = Lease['query'];

/** What a batch came to. */
interface BatchWork<Result> {
	readonly results: readonly Result[];
	readonly faults: readonly unknown[];
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
 * `oneByOne` is for a batch with something in it that cannot be written: it runs each item by itself.
 * With two `lanes`, a batch locks and loads while the one before it is being committed.
 */
export function createBatchWriter<Item, Result>(
	connections: Connections,
	{ lanes: laneCount, prepareMs, transaction, oneByOne }: BatchWriterOptions<Item, Result>,
): BatchWriter<Item, Result> {
	const lanes = Array.from(
		{ length: laneCount },
		(): Lane => ({ mark: createCommitMark(), unknowns: 0, last: Promise.resolve(), waiting: 0 }),
	);

	/** Again, while there is time, for as long as the batch meets others or loses its connection before COMMIT is sent. */
	async function run(
		lane: Lane,
		items: readonly Item[],
		nowMs: number,
		begun: () => void,
	): Promise<BatchAnswer<Result>> {
		const giveUpAt = performance.now() + prepareMs;
		let work = transaction;
		for (;;) {
			try {
				return await attempt(lane, (query) => work(query, items, nowMs), giveUpAt, begun);
			} catch (cause) {
				const kind = faultKind(cause);
				if (kind === 'busy') return { kind: 'busy' };
				if (kind === 'batch' && oneByOne && work !== oneByOne) work = oneByOne;
				else if (kind !== 'again' || performance.now() + RETRY_MS > giveUpAt) return { kind: 'not_done', cause };
				else await delay(RETRY_MS * Math.random());
			}
		}
	}

	/** Throws where certainly nothing was done. */
	async function attempt(
		lane: Lane,
		work: (query: Query) => Promise<BatchWork<Result>>,
		giveUpAt: number,
		begun: () => void,
	): Promise<BatchAnswer<Result>> {
		const lease = await connections.acquire(giveUpAt);
		lane.mark = nextMark(lane.mark);
		let done: BatchWork<Result>;
		try {
			const beginning = lease.query(beginSql(lane.mark));
			// Sent together with what it begins. Where it fails, none of that may be believed, or be followed by more.
			const query: Query = async (sql, values) => (await Promise.all([lease.query<never>(sql, values), beginning]))[0];
			[done] = await Promise.all([work(query), beginning]);
		} catch (cause) {
			lease.destroy();
			throw cause;
		}
		const { results, faults, writes, mustCommit } = done;
		if (!mustCommit) {
			begun();
			// Nobody has to wait for it, and where it fails the locks end with the connection.
			lease.query('ROLLBACK').then(lease.release, lease.destroy);
			return { kind: 'committed', results, faults };
		}
		const committing = commit(lease, lane.mark, connections, writes, limitsAfter(lane.unknowns));
		begun();
		const ending = await committing;
		lane.unknowns = ending.kind === 'outcome_unknown' ? lane.unknowns + 1 : 0;
		// Somebody may hold the row of this mark for long: the next batch does not wait for that.
		if (lane.unknowns > 0) lane.mark = createCommitMark();
		return ending.kind === 'committed' ? { kind: 'committed', results, faults } : ending;
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
	readonly lanes: 1 | 2;
	/** From the beginning of a batch until its COMMIT is sent, with every repetition, in milliseconds. */
	readonly prepareMs: number;
	readonly transaction: Transaction<Item, Result>;
	readonly oneByOne?: Transaction<Item, Result>;
}
