import { setTimeout as delay } from 'node:timers/promises';
import type { BatchAnswer } from '../store.ts';
import { beginSql, commit, createCommitMark, nextMark } from './commit-mark.ts';
import type { Connections, Lease } from './connections.ts';
import { faultKind } from './faults.ts';
import { LIMITS } from './limits.ts';

/** Runs statements of a transaction; each rejects where the transaction did not begin. */
export type Query = Lease['query'];

/** What a batch came to. Where it `wrote` nothing, there is nothing to commit. */
interface BatchWork<Result> {
	readonly results: readonly Result[];
	readonly faults: readonly unknown[];
	readonly wrote: boolean;
}

/** Loads, decides and writes a batch. The transaction around it is not its business. */
export type Transaction<Item, Result> = (
	query: Query,
	items: readonly Item[],
	nowMs: number,
) => Promise<BatchWork<Result>>;

/** Runs batches one after the other, each as a transaction. */
export interface BatchWriter<Item, Result> {
	/** Never rejects. */
	run(items: readonly Item[], nowMs: number): Promise<BatchAnswer<Result>>;
	/** Resolves when all that was taken has been answered. */
	idle(): Promise<void>;
}

const RETRY_MS = 20;

/** `oneByOne` is for a batch with something in it that cannot be written: it runs each item by itself. */
export function createBatchWriter<Item, Result>(
	connections: Connections,
	transaction: Transaction<Item, Result>,
	oneByOne?: Transaction<Item, Result>,
): BatchWriter<Item, Result> {
	let mark = createCommitMark();
	let latest: Promise<unknown> = Promise.resolve();

	/** Again, while there is time, for as long as the batch meets others or loses its connection before COMMIT is sent. */
	async function run(items: readonly Item[], nowMs: number): Promise<BatchAnswer<Result>> {
		const giveUpAt = performance.now() + LIMITS.prepareMs;
		let work = transaction;
		for (;;) {
			try {
				return await attempt(work, items, nowMs, giveUpAt);
			} catch (cause) {
				const kind = faultKind(cause);
				if (kind === 'busy') return { kind: 'busy' };
				if (kind === 'batch' && oneByOne && work !== oneByOne) work = oneByOne;
				else if (kind !== 'again' || performance.now() + RETRY_MS > giveUpAt) return { kind: 'not_done', cause };
				else await delay(RETRY_MS * Math.random());
			}
		}
	}

	/** Throws where COMMIT was not sent, so that certainly nothing was done. */
	async function attempt(
		work: Transaction<Item, Result>,
		items: readonly Item[],
		nowMs: number,
		giveUpAt: number,
	): Promise<BatchAnswer<Result>> {
		const lease = await connections.acquire(giveUpAt);
		mark = nextMark(mark);
		let done: BatchWork<Result>;
		try {
			const begun = lease.query(beginSql(mark));
			// Sent together with what it begins. Where it fails, none of that may be believed, or be followed by more.
			const query: Query = async (sql, values) => (await Promise.all([lease.query<never>(sql, values), begun]))[0];
			[done] = await Promise.all([work(query, items, nowMs), begun]);
			if (!done.wrote) await lease.query('ROLLBACK');
		} catch (cause) {
			lease.destroy();
			throw cause;
		}
		const { results, faults } = done;
		if (!done.wrote) {
			lease.release();
			return { kind: 'committed', results, faults };
		}
		const ending = await commit(lease, mark, connections);
		// Somebody may hold the row of this mark for long: the next batch does not wait for that.
		if (ending.kind === 'outcome_unknown') mark = createCommitMark();
		return ending.kind === 'committed' ? { kind: 'committed', results, faults } : ending;
	}

	return {
		run(items, nowMs) {
			const answer = latest.then(() => run(items, nowMs));
			latest = answer;
			return answer;
		},
		async idle() {
			await latest;
		},
	};
}
