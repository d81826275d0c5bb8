import type { StoredPair } from '../../src/store/reads/edge-reads.ts';

/** A pair that nothing limits, without its key. */
export const UNLIMITED: Omit<StoredPair, 'key'> = {
	leftBytes: null,
	limitLeftBytes: null,
	isSuspended: false,
	isBeyondDebtLine: false,
	isResellerSuspended: false,
	expiresAtMs: null,
	allowedIps: null,
	connections: null,
	open: [],
};
