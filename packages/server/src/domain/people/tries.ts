/** Limits how often something may be tried: `burst` at once, and then one for each interval. */
export interface TryLimit {
	readonly burst: number;
	readonly intervalMs: number;
}

/** A count of tries as the store keeps it: when all of them will be forgiven, in Unix milliseconds. */
export interface Tries {
	/**
	 * SHA-256 of what is counted, base64url: the store holds no address, and no password that was typed as an e-mail. What
	 * the rules count by themselves has the name of its reseller.
	 */
	readonly key: string;
	readonly forgivenAtMs: number;
}

export type TryDecision =
	| { readonly allowed: true; readonly forgivenAtMs: number }
	/** How long to wait, in milliseconds. */
	| { readonly allowed: false; readonly waitMs: number };

/** Counts one more try, or refuses it. After the clock was set back, a try waits for a full count at most. */
export function decideTry(known: Pick<Tries, 'forgivenAtMs'> | undefined, limit: TryLimit, nowMs: number): TryDecision {
	const fullMs = limit.burst * limit.intervalMs;
	const before = Math.min(Math.max(known?.forgivenAtMs ?? nowMs, nowMs), nowMs + fullMs);
	const after = before + limit.intervalMs;
	if (after - nowMs > fullMs) return { allowed: false, waitMs: after - nowMs - fullMs };
	return { allowed: true, forgivenAtMs: after };
}

/** The count without one of its tries. */
export function withoutTry({ key, forgivenAtMs }: Tries, { intervalMs }: TryLimit): Tries {
	return { key, forgivenAtMs: forgivenAtMs - intervalMs };
}
