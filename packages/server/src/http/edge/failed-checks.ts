import { decideTry, type TryLimit } from '../../domain/people/tries.ts';
import { readAddress } from '../server/address.ts';
import { keepNewest } from '../server/keep-newest.ts';

/**
 * @bound Failed checks of one name from one address (IPv6, a /64) at one edge, and links from it that are not valid:
 * further ones are refused as `throttled`, and links with 429.
 */
const LIMIT = { burst: 20, intervalMs: 3_000 };
/**
 * Many people may share an address.
 * @bound Failed checks of all names from one IPv4 address or IPv6 /48 at one edge, and links from it that are not
 * valid: further ones are refused as `throttled`, and links with 429.
 */
const SITE_LIMIT = { burst: 100, intervalMs: 600 };
/** @bound Counts of failed checks in each process: the oldest are forgotten. */
const MAX_COUNTS = 100_000;

/**
 * Counts failed checks by edge, the address of the proxy's client and the username. In memory only: a guess of a key is
 * hopeless anyway, and this keeps the guesses from the store. A client with a right key may share its address with one that
 * guesses. It is refused for that only if many keys of several names were wrong.
 */
export interface FailedChecks {
	/** Whether this address has used up its failures for this name, or all its failures. */
	isBlocked(edge: string, client: string | undefined, username: string): boolean;
	/** Counts a failure. Returns `false` if the address has used up its failures. */
	count(edge: string, client: string | undefined, username: string): boolean;
}

export function createFailedChecks({
	maxCounts = MAX_COUNTS,
	edgeLimit = undefined as TryLimit | undefined,
	monotonicMs = () => performance.now(),
} = {}): FailedChecks {
	/** When the failures of a name from an address, or of a site, will be forgiven. */
	const failures = new Map<string, number>();

	function decide(counts: readonly Count[]) {
		return counts.map(({ key, limit }) => {
			const forgivenAtMs = failures.get(key);
			return decideTry(forgivenAtMs === undefined ? undefined : { forgivenAtMs }, limit, monotonicMs());
		});
	}

	return {
		isBlocked(edge, client, username) {
			const known = countsOf(edge, client, username, edgeLimit).filter(({ key }) => failures.has(key));
			return decide(known).some(({ allowed }) => !allowed);
		},
		count(edge, client, username) {
			const counts = countsOf(edge, client, username, edgeLimit);
			const decisions = decide(counts);
			if (!decisions.every((decision) => decision.allowed)) return false;
			for (const [index, { forgivenAtMs }] of decisions.entries()) {
				keepNewest(failures, (counts[index] as Count).key, forgivenAtMs, maxCounts);
			}
			return true;
		},
	};
}

interface Count {
	readonly key: string;
	readonly limit: TryLimit;
}

/** `edgeLimit` is about all failures at the edge. Without an address, nothing is counted: the failures of one client would block all others. */
function countsOf(
	edge: string,
	client: string | undefined,
	username: string,
	edgeLimit: TryLimit | undefined,
): readonly Count[] {
	const address = client === undefined ? undefined : readAddress(client);
	if (!address) return [];
	return [
		{ key: `${edge} ${address.network} ${username}`, limit: LIMIT },
		{ key: `${edge} ${address.site}`, limit: SITE_LIMIT },
		...(edgeLimit ? [{ key: edge, limit: edgeLimit }] : []),
	];
}
