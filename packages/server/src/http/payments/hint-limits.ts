import type { ClientAddress } from '../server/address.ts';
import { createFailedTries, type FailureCount } from '../server/failed-tries.ts';
import { keepNewest } from '../server/keep-newest.ts';

/** @bound Hints without a right signature from one address (IPv6, a /64): further hints from it are answered 429. */
const LIMIT = { burst: 20, intervalMs: 3_000 };
/** @bound Hints without a right signature from one IPv6 /48: further hints from it are answered 429. */
const SITE_LIMIT = { burst: 100, intervalMs: 600 };
/**
 * To look at the signature of the largest hint takes half a millisecond, so strangers have a twentieth of the processor's time.
 * @bound Hints without a right signature from all strangers together, who have sent no right one: further hints of strangers are answered 429.
 */
const STRANGERS_LIMIT = { burst: 1_000, intervalMs: 10 };
/**
 * It may be a proxy, with which the provider and strangers share an address.
 * @bound Hints without a right signature from an address that has sent a right one: further hints from it are answered 429.
 */
const KNOWN_LIMIT = STRANGERS_LIMIT;
/** @bound Addresses that are remembered because they have sent a right hint: the one that has sent none for longest is forgotten. */
const MAX_KNOWN = 1_000;

/**
 * Bounds what hints cost that are not signed. Strangers use up only what strangers have: hints from an address from which a
 * signed one came are taken all the same.
 */
export interface HintLimits {
	/** Whether this address has used up what it has, alone or with others. */
	isBlocked(address: ClientAddress): boolean;
	countForged(address: ClientAddress): void;
	/** A hint from this address was signed. */
	noteSigned(address: ClientAddress): void;
}

export function createHintLimits(options: Parameters<typeof createFailedTries>[0] = {}): HintLimits {
	const tries = createFailedTries(options);
	const known = new Map<string, true>();

	function countsOf({ network, site }: ClientAddress): readonly FailureCount[] {
		if (known.has(network)) return [{ key: `known ${network}`, limit: KNOWN_LIMIT }];
		return [
			{ key: network, limit: LIMIT },
			...(site === network ? [] : [{ key: site, limit: SITE_LIMIT }]),
			{ key: 'strangers', limit: STRANGERS_LIMIT },
		];
	}

	return {
		isBlocked: (address) => tries.isBlocked(countsOf(address)),
		countForged: (address) => void tries.count(countsOf(address)),
		noteSigned: ({ network }) => keepNewest(known, network, true, MAX_KNOWN),
	};
}
