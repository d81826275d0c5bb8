import { setTimeout as pause } from 'node:timers/promises';
import { MAX_REFUSALS, type RefusedClients } from '@bursar/contract/edge';
import type { EdgeClient } from './edge-client.ts';
import { createKeptRefusals, type KeptRefusal, type RefusedClient } from './kept-refusals.ts';

/**
 * Tells the service which accounts were refused here, and why, every two seconds. They explain, and no money depends on
 * them. So each is sent at most once: what a lost answer was about, or what this process had not sent, is lost.
 */
export interface RefusalReporter {
	add(refused: RefusedClient): void;
	/** Sends the last ones. Resolves once they were sent, or after this time. */
	stop(limitMs: number): Promise<void>;
	readonly stats: RefusalStats;
}

export interface RefusalStats {
	/** How many refused clients were left out, because too many names came at once. */
	readonly leftOut: number;
}

export interface RefusalReporterOptions {
	readonly client: Pick<EdgeClient, 'report'>;
	/** Whether the last request to the service has failed. Then nothing is sent, because it would be lost. */
	readonly isAway: () => boolean;
	readonly intervalMs?: number;
	/** Unix milliseconds. */
	readonly clockMs?: () => number;
}

/** Each interval sends one request at most. */
const INTERVAL_MS = 2_000;

export function startRefusalReporter(options: RefusalReporterOptions): RefusalReporter {
	const { client, isAway, intervalMs = INTERVAL_MS, clockMs = Date.now } = options;
	const kept = createKeptRefusals({ clockMs });
	let sending: Promise<void> | undefined;

	async function send(): Promise<void> {
		if (isAway()) return;
		const some = kept.take(MAX_REFUSALS);
		if (some.length === 0) return;
		const result = await client.report([], { refusals: some.map(wireForm) });
		// Only then, the service has certainly not kept them.
		if (!result.ok && result.code === 'unavailable') kept.putBack(some);
	}

	const timer = setInterval(() => {
		sending ??= send().finally(() => {
			sending = undefined;
		});
	}, intervalMs).unref();

	return {
		add: kept.add,
		async stop(limitMs) {
			clearInterval(timer);
			const sent = Promise.resolve(sending).then(send);
			await Promise.race([sent, pause(limitMs, undefined, { ref: false })]);
		},
		get stats() {
			return { leftOut: kept.leftOut };
		},
	};
}

function wireForm({ username, reason, count, atMs, network }: KeptRefusal): RefusedClients {
	return { username, reason, count, at: new Date(atMs).toISOString(), ...(network !== undefined && { network }) };
}
