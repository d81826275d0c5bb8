import { MAX_ALLOWED_IPS, MAX_BYTES_PER_SECOND, MAX_CONNECTIONS, MIN_BYTES_PER_SECOND } from '@bursar/contract/limits';
import type { SubUserLimits } from '@bursar/contract/terms-schemas';

/** What holds for a sub-user beside its balance. A change of it moves no money. */
export interface Terms {
	/** Since when its pair is refused, in Unix milliseconds. `null`: it is not suspended. */
	readonly suspendedAtMs: number | null;
	readonly limits: Limits;
	/** For the reseller's people. Empty if there is none. */
	readonly note: string;
}

/** How far a sub-user may use the proxy. `null`: no limit. */
export interface Limits {
	/** Bytes of a UTC day, up and down together: at least 1. */
	readonly dayBytes: number | null;
	/** The same of a UTC month, and of all time. */
	readonly monthBytes: number | null;
	readonly totalBytes: number | null;
	/** Connections that are open at once over all edges. */
	readonly connections: number | null;
	/** How much of its bytes passes in a second, up and down each, on each edge. */
	readonly bytesPerSecond: number | null;
	/** From where the pair is good: addresses and networks, as the contract normalizes them. */
	readonly allowedIps: readonly string[] | null;
	/** From this time on the pair is refused, in Unix milliseconds. */
	readonly expiresAtMs: number | null;
}

/** New terms of an account, as a whole. */
export interface TermsChange {
	readonly reseller: string;
	readonly username: string;
	readonly terms: Terms;
}

export type SubUserState = 'active' | 'suspended' | 'expired';

export const NO_LIMITS: Limits = {
	dayBytes: null,
	monthBytes: null,
	totalBytes: null,
	connections: null,
	bytesPerSecond: null,
	allowedIps: null,
	expiresAtMs: null,
};

export const NO_TERMS: Terms = { suspendedAtMs: null, limits: NO_LIMITS, note: '' };

/** A suspended sub-user is `suspended`, expired or not. `nowMs` is in Unix milliseconds. */
export function stateOf(
	{ suspendedAtMs, expiresAtMs }: Pick<Terms, 'suspendedAtMs'> & Pick<Limits, 'expiresAtMs'>,
	nowMs: number,
): SubUserState {
	if (suspendedAtMs !== null) return 'suspended';
	return expiresAtMs !== null && expiresAtMs <= nowMs ? 'expired' : 'active';
}

/** Limits as everybody reads them. */
export function limitsView(limits: Limits): SubUserLimits {
	const { dayBytes, monthBytes, totalBytes, connections, bytesPerSecond, allowedIps, expiresAtMs } = limits;
	return {
		day_bytes: dayBytes,
		month_bytes: monthBytes,
		total_bytes: totalBytes,
		connections,
		bytes_per_second: bytesPerSecond,
		allowed_ips: allowedIps && [...allowedIps],
		expires_at: expiresAtMs === null ? null : new Date(expiresAtMs).toISOString(),
	};
}

/** Whether these limits may be set. That addresses are well formed is the contract's rule, and was looked at before. */
export function areLimits({ dayBytes, monthBytes, totalBytes, ...others }: Limits): boolean {
	const bytes = [dayBytes, monthBytes, totalBytes];
	const { connections, bytesPerSecond, allowedIps, expiresAtMs } = others;
	return (
		bytes.every((limit) => limit === null || isCount(limit, Number.MAX_SAFE_INTEGER)) &&
		(connections === null || isCount(connections, MAX_CONNECTIONS)) &&
		(bytesPerSecond === null || isCount(bytesPerSecond, MAX_BYTES_PER_SECOND, MIN_BYTES_PER_SECOND)) &&
		(allowedIps === null || isCount(allowedIps.length, MAX_ALLOWED_IPS)) &&
		(expiresAtMs === null || isCount(expiresAtMs, MAX_TIME_MS))
	);
}

/** The last moment of the year 9999: later ones have another form in ISO 8601. */
const MAX_TIME_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

function isCount(value: number, most: number, least = 1): boolean {
	return Number.isSafeInteger(value) && value >= least && value <= most;
}
