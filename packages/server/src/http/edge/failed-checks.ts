import { decideTry, type TryLimit } from '../../domain/people/tries.ts';
import { readAddress } from '../server/address.ts';
import { keepNewest } from '../server/keep-newest.ts';

/** How many checks of one address, or IPv6 /64, may fail. */
const LIMIT = { burst: 20, intervalMs: 3_000 };
/** The same for an IPv6 /48. */
const SITE_LIMIT = { burst: 100, intervalMs: 600 };
const MAX_ADDRESSES = 50_000;

/**
 * Counts failed checks by edge and by the address of the proxy's client. In memory only: a guess of a key is hopeless
 * anyway, and this keeps the guesses from the store.
 */
export interface FailedChecks {
	/** Whether this address has used up its failures. */
	isBlocked(edge: string, client: string | undefined): boolean;
	/** Counts a failure. Returns `false` if the address has used up its failures. */
	count(edge: string, client: string | undefined): boolean;
}

export function createFailedChecks({
	maxAddresses = MAX_ADDRESSES,
	monotonicMs = () => performance.now(),
} = {}): FailedChecks {
	/** When the failures of an address or a site will be forgiven. */
	const failures = new Map<string, number>();

	function decide(counts: readonly Count[]) {
		return counts.map(({ key, limit }) => {
			const forgivenAtMs = failures.get(key);
			return decideTry(forgivenAtMs === undefined ? undefined : { forgivenAtMs }, limit, monotonicMs());
		});
	}

	return {
		isBlocked(edge, client) {
			const known = countsOf(edge, client).filter(({ key }) => failures.has(key));
			return decide(known).some(({ allowed }) => !allowed);
		},
		count(edge, client) {
			const counts = countsOf(edge, client);
			const decisions = decide(counts);
			if (!decisions.every((decision) => decision.allowed)) return false;
			for (const [index, { forgivenAtMs }] of decisions.entries()) {
				keepNewest(failures, (counts[index] as Count).key, forgivenAtMs, maxAddresses);
			}
			return true;
		},
	};
}

interface Count {
	readonly key: string;
	readonly limit: TryLimit;
}

/** Without an address, nothing is counted: the failures of one client would block all others. */
function countsOf(edge: string, client: string | undefined): readonly Count[] {
	const address = client === undefined ? undefined : readAddress(client);
	if (!address) return [];
	const { network, site } = address;
	const ofNetwork = { key: `${edge} ${network}`, limit: LIMIT };
	return site === network ? [ofNetwork] : [ofNetwork, { key: `${edge} site ${site}`, limit: SITE_LIMIT }];
}
