import type { Store } from '../../../src/store/store.ts';
import type { Engine, OpenedEngine } from './engine.ts';

/** The data of a store, and the stores that are open on it. */
interface Shared {
	readonly opened: OpenedEngine;
	readonly empty: () => Promise<void>;
	readonly stores: Store[];
	/** The accounts whose usage was counted in any test, with their resellers: a store remembers these. */
	readonly remembered: Map<string, string>;
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
		return { opened, empty: await opened.emptier(), stores: [opened.store], remembered: new Map() };
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
			const remember = rememberingFor(shared);
			const give = async () => {
				// After a store is closed, the test wants one that was opened anew.
				const store = (isSpent ? undefined : shared.stores.pop()) ?? (await opened.openAnother());
				given.push(store);
				return noticing(store, { spend, remember });
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

/** Calls `spend` when the store is closed, and `remember` before it counts usage. */
function noticing(
	store: Store,
	{ spend, remember }: { spend(): void; remember(usernames: readonly string[]): Promise<void> },
): Store {
	return {
		...store,
		async recordUsage(reports, nowMs) {
			await remember(reports.flatMap((report) => ('username' in report ? [report.username] : [])));
			return store.recordUsage(reports, nowMs);
		},
		close() {
			spend();
			return store.close();
		},
	};
}

/**
 * A function for the accounts whose usage a test counts. A store that counts usage remembers the reseller of the account,
 * which never changes in a service. So the function throws if the account belonged to another reseller in an earlier test.
 */
function rememberingFor({ opened, remembered }: Shared): (usernames: readonly string[]) => Promise<void> {
	const checked = new Set<string>();
	return async (usernames) => {
		const unchecked = new Set(usernames.filter((username) => !checked.has(username)));
		if (unchecked.size === 0) return;
		const rows = (await opened.rows('SELECT username, reseller FROM usernames')) as {
			readonly username: string;
			readonly reseller: string;
		}[];
		const resellers = new Map(rows.map(({ username, reseller }) => [username, reseller]));
		for (const username of unchecked) {
			const reseller = resellers.get(username);
			const previous = remembered.get(username);
			if (previous !== undefined && previous !== reseller) {
				throw new Error(`the shared stores remember that ${username} belongs to ${previous}: use another name`);
			}
			if (reseller === undefined) continue;
			remembered.set(username, reseller);
			checked.add(username);
		}
	};
}
