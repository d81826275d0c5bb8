import type { Bank } from './bank.ts';

/** Says whether changes can be made now. */
export interface WriteHealth {
	/** Why not, in plain words; `undefined` if they can. */
	readonly failure: string | undefined;
	/** Resolves when the small write that is under way has ended; `undefined` if there is none. */
	readonly trying: Promise<void> | undefined;
	/** Called when a batch has failed: soon a small write shows whether all fail. */
	batchFailed(cause: unknown): void;
	close(): void;
}

/** How often it looks, in milliseconds. So at most one write a second is tried. */
const LOOK_MS = 1_000;
/**
 * A write that takes longer shows that the disk or the database hangs.
 * @bound A batch or a try to write hangs while the service is ready: then it is not ready. One write a second is
 * tried.
 */
const SLOW_MS = 3_000;
const HANGS = 'a write has not ended for three seconds';

/**
 * A batch that fails may be alone in that. So a record that changes nothing but its own row is tried, and tried again until
 * it is written in time: a load balancer that sends nothing meanwhile would not show that the outage is over.
 */
export function createWriteHealth(
	bank: Pick<Bank, 'keep' | 'underWaySinceMs'>,
	{ lookMs = LOOK_MS, slowMs = SLOW_MS }: { readonly lookMs?: number; readonly slowMs?: number } = {},
): WriteHealth {
	let failure: string | undefined;
	let cause: string | undefined;
	let isDue = false;
	let triedSinceMs = Number.POSITIVE_INFINITY;
	let trying: Promise<void> | undefined;

	const hangs = () => performance.now() - Math.min(bank.underWaySinceMs, triedSinceMs) > slowMs;

	function look(): void {
		if (hangs()) failure = HANGS;
		else if (!isDue && failure === undefined) return;
		trying ??= tryWrite().finally(() => {
			trying = undefined;
		});
	}

	async function tryWrite(): Promise<void> {
		isDue = false;
		triedSinceMs = performance.now();
		const { ok } = await bank.keep({ kind: 'write_check' });
		if (hangs()) failure = HANGS;
		else if (ok) failure = undefined;
		else failure = cause === undefined ? 'changes cannot be written' : `changes cannot be written: ${cause}`;
		triedSinceMs = Number.POSITIVE_INFINITY;
	}

	const looking = setInterval(look, lookMs).unref();
	return {
		get failure() {
			return hangs() ? HANGS : failure;
		},
		get trying() {
			return trying;
		},
		batchFailed(thrown) {
			isDue = true;
			cause = thrown instanceof Error ? thrown.message : String(thrown);
		},
		close: () => clearInterval(looking),
	};
}
