import type { StoredPair } from '../../src/store/tables/edges/edges.ts';

/** A pair of `acme` that nothing limits, without its key. */
export const UNLIMITED: Omit<StoredPair, 'key'> = {
	reseller: 'acme',
	leftBytes: null,
	limitLeftBytes: null,
	isSuspended: false,
	isBeyondDebtLine: false,
	isResellerSuspended: false,
	expiresAtMs: null,
	allowedIps: null,
	connections: null,
	bytesPerSecond: null,
	open: [],
};
