import type { ListedSubUser, SubUserDetails } from '@bursar/contract';
import { normalizeAllowedIps } from '@bursar/contract/allowed-ips';
import type { SubUserLimits } from '@bursar/contract/dashboard';
import { signInIp } from '@bursar/contract/sign-in-ips';
import { type PairBounds, unusableReasonOf } from '../domain/pair-state.ts';
import { areLimits, type Limits, limitsView, NO_LIMITS } from '../domain/terms.ts';
import { parseTimestamp } from '../domain/usage-report.ts';
import type { StoredDetails, UsedBytes } from '../store/tables/accounts/terms-reads.ts';

export type LimitName = keyof SubUserLimits;

/** Whether the proxies accept a pair now, and why not. */
export type Usable = Pick<SubUserDetails, 'usable' | 'reason'>;

/** `nowMs` is in Unix milliseconds. */
export function usableView(bounds: PairBounds, nowMs: number): Usable {
	const reason = unusableReasonOf(bounds, nowMs);
	return { usable: reason === null, reason };
}

/** What a sub-user has used, up and down together. */
export function usedBytesView(used: UsedBytes = NOTHING_USED): ListedSubUser['used'] {
	return { day_bytes: used.usedOfDay, month_bytes: used.usedOfMonth, total_bytes: used.usedOfTotal };
}

const NOTHING_USED: UsedBytes = { usedOfDay: 0, usedOfMonth: 0, usedOfTotal: 0 };

/** What a sub-user has set and used, as answers show it. */
export function usedAndLimitsView(
	details: StoredDetails,
): Pick<SubUserDetails, 'limits' | 'used' | 'sign_in_ips' | 'last_seen'> {
	const { terms, openConnections, signInAddresses, lastSeenAtMs } = details;
	return {
		limits: limitsView(terms.limits),
		used: { ...usedBytesView(details), connections: openConnections },
		sign_in_ips: signInAddresses.map(signInIp),
		last_seen: timeOrNull(lastSeenAtMs),
	};
}

function timeOrNull(atMs: number | null): string | null {
	return atMs === null ? null : new Date(atMs).toISOString();
}

/** The limits of a request. If one has not its form, its name. A name that is absent leaves its limit as it is. */
export function readLimits(
	sent: Readonly<Partial<Record<LimitName, unknown>>>,
): { readonly limits: Partial<Limits> } | { readonly wrong: LimitName } {
	const limits: Partial<Writable<Limits>> = {};
	for (const name of Object.keys(READERS) as LimitName[]) {
		if (sent[name] === undefined) continue;
		if (!READERS[name](sent[name], limits) || !areLimits({ ...NO_LIMITS, ...limits })) return { wrong: name };
	}
	return { limits };
}

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };
/** Adds a limit to the others. Returns `false` if the value has not the type of the limit. */
type ReadLimit = (value: unknown, into: Partial<Writable<Limits>>) => boolean;

const READERS: Readonly<Record<LimitName, ReadLimit>> = {
	day_bytes: readCount('dayBytes'),
	month_bytes: readCount('monthBytes'),
	total_bytes: readCount('totalBytes'),
	connections: readCount('connections'),
	bytes_per_second: readCount('bytesPerSecond'),
	allowed_ips(value, into) {
		const isList = Array.isArray(value) && value.every((each) => typeof each === 'string');
		const networks = isList ? normalizeAllowedIps(value) : null;
		if (value !== null && !networks) return false;
		into.allowedIps = networks ?? null;
		return true;
	},
	expires_at(value, into) {
		const atMs = typeof value === 'string' ? parseTimestamp(value) : null;
		if (value !== null && typeof atMs !== 'number') return false;
		into.expiresAtMs = atMs ?? null;
		return true;
	},
};

function readCount(name: 'dayBytes' | 'monthBytes' | 'totalBytes' | 'connections' | 'bytesPerSecond'): ReadLimit {
	return (value, into) => {
		if (value !== null && typeof value !== 'number') return false;
		into[name] = value;
		return true;
	};
}
