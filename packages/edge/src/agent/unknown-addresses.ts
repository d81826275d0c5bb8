import { clientNetwork } from '@bursar/contract/account-refusals';

/**
 * Addresses by which no account signs in. Many clients send their first request without a pair, and wait for a 407. So the
 * service is asked rarely: about one address once in some seconds, and hardly at all if it says that no account signs in by
 * address.
 */
export interface UnknownAddresses {
	/** Whether the service need not be asked about it now. If not, it is asked at once. */
	has(address: string): boolean;
	/** The service has said that no account signs in by it. */
	add(address: string): void;
	/** What an answer of the service said of all addresses. `undefined`: the service is an older one. */
	tell(signsInByAddress: boolean | undefined): void;
	/** The service has not answered. */
	pause(): void;
}

/** @bound Addresses by which no account signs in, that are remembered: the oldest are forgotten. */
const MAX_ADDRESSES = 10_000;
/** @bound Such an address is remembered at first, and each further time for twice as long: then the service is asked. */
const FIRST_MS = 250;
/** @bound Such an address is remembered: then the service is asked. */
const LONGEST_MS = 4_000;
/** @bound The service says that no account signs in by address: then it is asked about one address. */
const NONE_MS = 2_000;
/** @bound No address is asked about, because the service has not answered: then it is asked again. */
const PAUSE_MS = 1_000;
/** @bound Addresses of one IPv6 /48 by which no account signs in, and about which the service is asked: further ones are unknown. */
const SITE_LIMIT = { burst: 50, intervalMs: 1_000 };
/** @bound Addresses of all clients by which no account signs in, and about which the service is asked: further ones are unknown. */
const LIMIT = { burst: 2_000, intervalMs: 5 };

/** @param nowMs monotonic milliseconds */
export function createUnknownAddresses(nowMs: () => number): UnknownAddresses {
	const known = new Map<string, { readonly pauseMs: number; readonly untilMs: number }>();
	/** When all that was asked will be forgiven: of each /48, and of all clients. */
	const ofSites = new Map<string, number>();
	let ofAll = 0;
	let noneSinceMs: number | undefined;
	let pausedUntilMs = Number.NEGATIVE_INFINITY;

	function isTooMuch(site: string | undefined): boolean {
		const ofSite = site === undefined ? 0 : (ofSites.get(site) ?? 0);
		return isUsedUp(ofSite, SITE_LIMIT, nowMs()) || isUsedUp(ofAll, LIMIT, nowMs());
	}

	return {
		has(address) {
			const atMs = nowMs();
			if (atMs < pausedUntilMs || atMs < (known.get(address)?.untilMs ?? 0)) return true;
			if (noneSinceMs !== undefined) {
				if (atMs - noneSinceMs < NONE_MS) return true;
				// The answer tells whether this has changed. Until then, no other address is asked about.
				noneSinceMs = atMs;
			}
			return isTooMuch(siteOf(address));
		},
		add(address) {
			const pauseMs = Math.min((known.get(address)?.pauseMs ?? FIRST_MS / 2) * 2, LONGEST_MS);
			keep(known, address, { pauseMs, untilMs: nowMs() + pauseMs });
			const site = siteOf(address);
			if (site !== undefined) keep(ofSites, site, used(ofSites.get(site) ?? 0, SITE_LIMIT, nowMs()));
			ofAll = used(ofAll, LIMIT, nowMs());
		},
		tell(signsInByAddress) {
			noneSinceMs = signsInByAddress ? undefined : nowMs();
		},
		pause() {
			pausedUntilMs = nowMs() + PAUSE_MS;
		},
	};
}

/** One client can have all of a /48. */
function siteOf(address: string): string | undefined {
	return address.includes(':') ? clientNetwork(address) : undefined;
}

interface Limit {
	readonly burst: number;
	readonly intervalMs: number;
}

function isUsedUp(forgivenAtMs: number, { burst, intervalMs }: Limit, nowMs: number): boolean {
	return forgivenAtMs + intervalMs > nowMs + burst * intervalMs;
}

function used(forgivenAtMs: number, { intervalMs }: Limit, nowMs: number): number {
	return Math.max(forgivenAtMs, nowMs) + intervalMs;
}

/** Sets an entry as the newest. If there are too many, the oldest is forgotten. */
function keep<Value>(entries: Map<string, Value>, name: string, value: Value): void {
	entries.delete(name);
	entries.set(name, value);
	const [oldest] = entries.keys();
	if (entries.size > MAX_ADDRESSES && oldest !== undefined) entries.delete(oldest);
}
