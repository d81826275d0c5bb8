import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { createBank } from '../../src/bank/bank.ts';
import type { GroupCommitObserver } from '../../src/bank/group-commit.ts';
import type { BatchAnswer } from '../../src/store/store.ts';

interface RunningBatch {
	readonly items: readonly string[];
	/** Says that this batch has begun. */
	readonly begin: () => void;
	readonly end: (answer: BatchAnswer<string>) => void;
}

/** A `run` that records its batches. The test ends each batch. */
export function controlledRun() {
	const begun: RunningBatch[] = [];
	return {
		begun,
		/** The items of all batches so far. */
		get batches() {
			return begun.map(({ items }) => items);
		},
		run(items: readonly string[], begin: () => void): Promise<BatchAnswer<string>> {
			return new Promise((end) => begun.push({ items, begin, end }));
		},
		/** Ends the latest batch. By default it is committed, and each result is its item in capitals. */
		async end(answer?: BatchAnswer<string>): Promise<void> {
			const batch = begun.at(-1);
			batch?.end(answer ?? { kind: 'committed', results: batch.items.map((item) => item.toUpperCase()), faults: [] });
			await turn();
		},
	};
}

/** Lets everything happen that needs no timer. */
export async function turn(): Promise<void> {
	await setImmediate();
	await setImmediate();
}

type BankStore = Parameters<typeof createBank>[0];

/** A store for a bank, with one batch at a time. Batches of a kind that the test does not give are unexpected. */
export function storeWith(parts: Partial<BankStore>): BankStore {
	const unexpected = async () => assert.fail('an unexpected batch');
	return {
		...{ nowMs: () => 1000, maxWaitMs: 60_000, batchesAtOnce: 1 },
		...{ runCommands: unexpected, runPersonCommands: unexpected, writeRecords: unexpected, recordUsage: unexpected },
		...parts,
	};
}

/** Records its calls. */
export function recordingObserver() {
	const sizes: number[] = [];
	const faults: { readonly cause: unknown; readonly kind: string }[] = [];
	const observer: GroupCommitObserver = {
		batchDone: (size) => sizes.push(size),
		fault: (cause, kind) => faults.push({ cause, kind }),
	};
	return { observer, sizes, faults };
}
