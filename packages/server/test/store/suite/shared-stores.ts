import type { Store } from '../../../src/store/store.ts';
import type { Engine, OpenedEngine } from './engine.ts';

/** The data of a store, and the stores that are open on it. */
interface Shared {
	readonly opened: OpenedEngine;
	readonly empty: () => Promise<void>;
	readonly stores: Store[];
}

/**
 * The same engine, but tests use the stores of earlier tests, because to open one takes longer than most tests. A store
 * is empty when a test gets it. The stores of a test that failed are not used again. `close` ends all of them.
 */
export function sharedStores(engine: Engine): Engine & { close(): Promise<void> } {
	const closes: (() => unknown)[] = [];
	const free: Shared[] = [];

	async function make(): Promise<Shared> {
		const opened = await engine.open({ after: (close) => closes.push(close as () => unknown) });
		return { opened, empty: await opened.emptier(), stores: [opened.store] };
	}

	return {
		name: engine.name,
		async open(test) {
			const shared = free.pop() ?? (await make());
			const { opened } = shared;
			const given: Store[] = [];
			let isSpent = false;
			const spend = () => {
				isSpent = true;
			};
			const give = async () => {
				// After a store is closed, the test wants one that was opened anew.
				const store = (isSpent ? undefined : shared.stores.pop()) ?? (await opened.openAnother());
				given.push(store);
				return noticing(store, spend);
			};
			test.after(async () => {
				if (isSpent) await Promise.all(given.map((store) => store.close()));
				else shared.stores.push(...given);
				if (!test.passed) return;
				await shared.empty();
				free.push(shared);
			});
			return { ...opened, store: await give(), openAnother: give };
		},
		async close() {
			for (const close of closes.splice(0)) await close();
		},
	};
}

/** Calls `spend` when the store is closed, or counts usage: it then remembers which reseller an account belongs to. */
function noticing(store: Store, spend: () => void): Store {
	return {
		...store,
		recordUsage(...batch) {
			spend();
			return store.recordUsage(...batch);
		},
		close() {
			spend();
			return store.close();
		},
	};
}
