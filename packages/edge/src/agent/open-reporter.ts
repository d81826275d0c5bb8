import { setTimeout as pause } from 'node:timers/promises';
import { MAX_OPEN_ACCOUNTS, OPEN_AGAIN_MS, type OpenConnections } from '@bursar/contract/edge';
import type { EdgeClient } from './edge-client.ts';

/**
 * Tells the service how many connections are open here, for accounts with a limit of connections. Soon tells each change.
 */
export interface OpenReporter {
	/** Sends the last numbers. Resolves once the service has them, or after this time. */
	stop(limitMs: number): Promise<void>;
}

export interface OpenReporterOptions {
	readonly client: Pick<EdgeClient, 'report'>;
	/** How many connections are open now, by account. An account without any may be missing. */
	readonly openNow: () => ReadonlyMap<string, number>;
	/** Monotonic milliseconds. */
	readonly nowMs?: () => number;
}

const LOOK_MS = 200;
/** @bound The pause after a report of open connections that failed: further pauses are as long. */
const TRY_AGAIN_MS = 1_000;

/** Sends one request at a time, so that no old number replaces a newer one. */
export function startOpenReporter({
	client,
	openNow,
	nowMs = () => performance.now(),
}: OpenReporterOptions): OpenReporter {
	/** The numbers that the service has, and since when. Accounts without open connections are not in it. */
	const reported = new Map<string, { readonly open: number; readonly atMs: number }>();
	let sending: Promise<void> | undefined;
	let notBeforeMs = Number.NEGATIVE_INFINITY;

	function due(): readonly OpenConnections[] {
		const open = openNow();
		const ended = [...reported.keys()]
			.filter((username) => !open.has(username))
			.map((username) => ({ username, open: 0 }));
		const others = Array.from(open, ([username, count]) => ({ username, open: count }));
		return [...ended, ...others].filter(isDue);
	}

	function isDue({ username, open }: OpenConnections): boolean {
		const last = reported.get(username);
		return open !== (last?.open ?? 0) || (last !== undefined && nowMs() - last.atMs >= OPEN_AGAIN_MS);
	}

	async function send(all: readonly OpenConnections[]): Promise<void> {
		for (let from = 0; from < all.length; from += MAX_OPEN_ACCOUNTS) {
			const some = all.slice(from, from + MAX_OPEN_ACCOUNTS);
			const atMs = nowMs();
			const { ok } = await client.report([], { open: some });
			if (!ok) {
				notBeforeMs = nowMs() + TRY_AGAIN_MS;
				return;
			}
			for (const { username, open } of some) {
				if (open === 0) reported.delete(username);
				else reported.set(username, { open, atMs });
			}
		}
	}

	function look(): void {
		if (sending || nowMs() < notBeforeMs) return;
		const all = due();
		if (all.length === 0) return;
		sending = send(all).finally(() => {
			sending = undefined;
		});
	}

	const timer = setInterval(look, LOOK_MS);
	return {
		async stop(limitMs) {
			clearInterval(timer);
			const sent = Promise.resolve(sending).then(() => send(due()));
			await Promise.race([sent, pause(limitMs, undefined, { ref: false })]);
		},
	};
}
