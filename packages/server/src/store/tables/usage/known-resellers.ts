/** Which reseller each account belongs to, as far as a batch of usage knows it. */
export type KnownResellers = Map<string, string>;

/** @bound Accounts whose reseller is remembered: beyond, all are forgotten and read again. */
const MAX_NAMES = 100_000;
const LIFE_MS = 60_000;

/**
 * Remembers the resellers of accounts from batch to batch. A name never changes its reseller. Everything is forgotten
 * after a minute all the same: a failover may lose the newest names. Returns what a batch begins with, and may add to.
 */
export function rememberResellers(clockMs = () => performance.now()): () => KnownResellers {
	let resellers: KnownResellers = new Map();
	let sinceMs = clockMs();
	return () => {
		const nowMs = clockMs();
		if (resellers.size > MAX_NAMES || nowMs - sinceMs > LIFE_MS) {
			resellers = new Map();
			sinceMs = nowMs;
		}
		return resellers;
	};
}
