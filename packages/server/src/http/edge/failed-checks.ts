import { decideTry } from '../../domain/people/tries.ts';
import { readAddress } from '../server/address.ts';
import { keepNewest } from '../server/keep-newest.ts';

/** How many checks of one address may fail. */
const LIMIT = { burst: 20, intervalMs: 3_000 };
const MAX_ADDRESSES = 50_000;

/**
 * Counts failed checks by edge and by the address of the proxy's client, an IPv6 /64 as one address. In memory only: a
 * guess of a key is hopeless anyway, and this keeps the guesses from the store.
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
	/** When the failures of an address will be forgiven. */
	const addresses = new Map<string, number>();

	function decide(key: string) {
		const forgivenAtMs = addresses.get(key);
		return decideTry(forgivenAtMs === undefined ? undefined : { forgivenAtMs }, LIMIT, monotonicMs());
	}

	return {
		isBlocked(edge, client) {
			const key = keyOf(edge, client);
			return key !== undefined && addresses.has(key) && !decide(key).allowed;
		},
		count(edge, client) {
			const key = keyOf(edge, client);
			if (key === undefined) return true;
			const decision = decide(key);
			if (!decision.allowed) return false;
			keepNewest(addresses, key, decision.forgivenAtMs, maxAddresses);
			return true;
		},
	};
}

/** Without an address, nothing is counted: the failures of one client would block all others. */
function keyOf(edge: string, client: string | undefined): string | undefined {
	const address = client === undefined ? undefined : readAddress(client);
	return address && `${edge} ${address.network}`;
}
