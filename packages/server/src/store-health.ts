import type { WriteHealth } from './bank/write-health.ts';
import type { OutageLog } from './outage-log.ts';

/** The only place that knows whether the store can be used: the log and readiness say what it says. */
export interface StoreHealth {
	/** Reads what is read every second, and learns from it. Rejects if it cannot be read. */
	readCredentialsVersion(): Promise<number>;
	/** Why the store cannot be used, in plain words, as far as it is known without asking it; `undefined` if it can. */
	readonly failure: string | undefined;
}

/** If a read has failed, the store is lost until it can be read and no change is known to fail. */
export function createStoreHealth(
	readVersion: () => Promise<number>,
	{ writes, outage }: { readonly writes: Pick<WriteHealth, 'failure' | 'trying'>; readonly outage: OutageLog },
): StoreHealth {
	let isReadable = true;
	let isLost = false;

	function lookWhetherOver(): void {
		if (!isLost || !isReadable || writes.failure !== undefined || writes.trying !== undefined) return;
		isLost = false;
		outage.over();
	}

	return {
		async readCredentialsVersion() {
			try {
				const version = await readVersion();
				isReadable = true;
				// A write that was begun before may still fail because of the outage.
				if (isLost) void Promise.resolve(writes.trying).then(lookWhetherOver);
				return version;
			} catch (cause) {
				isReadable = false;
				isLost = true;
				outage.failed(cause);
				throw cause;
			}
		},
		get failure() {
			lookWhetherOver();
			if (!isReadable) return 'the store cannot be read';
			return writes.failure ?? (isLost ? 'it is not known yet whether changes can be written again' : undefined);
		},
	};
}
