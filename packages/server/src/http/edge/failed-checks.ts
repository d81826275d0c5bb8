import type { TryLimit } from '../../domain/people/tries.ts';
import { readAddress } from '../server/address.ts';
import { createFailedTries, type FailureCount } from '../server/failed-tries.ts';

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

interface FailedChecksOptions extends NonNullable<Parameters<typeof createFailedTries>[0]> {
	/** How many failures an edge may have, of all addresses. Default: any number. */
	readonly edgeLimit?: TryLimit | undefined;
}

export function createFailedChecks({ edgeLimit, ...options }: FailedChecksOptions = {}): FailedChecks {
	const tries = createFailedTries(options);
	return {
		isBlocked: (...check) => tries.isBlocked(countsOf(edgeLimit, ...check)),
		count: (...check) => tries.count(countsOf(edgeLimit, ...check)),
	};
}

/** Without an address, nothing is counted: the failures of one client would block all others. */
function countsOf(
	edgeLimit: TryLimit | undefined,
	edge: string,
	client: string | undefined,
	username: string,
): readonly FailureCount[] {
	const address = client === undefined ? undefined : readAddress(client);
	if (!address) return [];
	return [
		{ key: `${edge} ${address.network} ${username}`, limit: LIMIT },
		{ key: `${edge} ${address.site}`, limit: SITE_LIMIT },
		...(edgeLimit ? [{ key: edge, limit: edgeLimit }] : []),
	];
}
