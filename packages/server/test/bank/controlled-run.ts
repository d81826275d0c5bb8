import { setImmediate } from 'node:timers/promises';
import type { GroupCommitObserver } from '../../src/bank/group-commit.ts';
import type { BatchAnswer } from '../../src/store/store.ts';

interface RunningBatch {
	readonly items: readonly string[];
	/** Says that the next batch would come behind this one. */
	readonly begin: () => void;
	readonly end: (answer: BatchAnswer<string>) => void;
}

/** A `run` that the test ends when it likes, and that remembers every batch it was given. */
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
		/** Ends the latest batch: as committed, with each item in capitals as its result, unless told otherwise. */
		async end(answer?: BatchAnswer<string>): Promise<void> {
			const batch = begun.at(-1);
			batch?.end(answer ?? { kind: 'committed', results: batch.items.map((item) => item.toUpperCase()), faults: [] });
			await turn();
		},
	};
}

/** Long enough for all that is to happen without any waiting. */
export async function turn(): Promise<void> {
	await setImmediate();
	await setImmediate();
}

/** For a store that is sent no usage. */
export async function noUsage(): Promise<never> {
	throw new Error('no usage was to be recorded');
}

/** Remembers what it was told. */
export function rememberingObserver() {
	const sizes: number[] = [];
	const faults: { readonly cause: unknown; readonly kind: string }[] = [];
	const observer: GroupCommitObserver = {
		batchDone: (size) => sizes.push(size),
		fault: (cause, kind) => faults.push({ cause, kind }),
	};
	return { observer, sizes, faults };
}
