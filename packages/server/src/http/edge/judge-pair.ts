import type { AllowedLists } from '@bursar/contract/allowed-ips';
import type { CheckRefusal, LeftReason } from '@bursar/contract/edge';
import { type EdgeProcess, mayHaveOpen } from '../../domain/open-connections.ts';
import { unusableReasonOf } from '../../domain/pair-state.ts';
import type { KnownPair, PairLimits } from './known-pairs.ts';

/** A pair that is good for this edge, and what the edge holds by itself. `null`: nothing. */
export interface GoodPair {
	readonly username: string;
	readonly keyId: string;
	readonly reseller: string;
	readonly leftBytes: number | null;
	readonly leftReason: LeftReason | null;
	readonly maxConnections: number | null;
	readonly maxBytesPerSecond: number | null;
	readonly endsInMs: number | null;
	readonly allowedIps: readonly string[] | null;
}

/** `limit_reached`: a limit of bytes. On the wire, both limits have this reason. */
export type PairRefused = CheckRefusal | 'connection_limit_reached';

interface Asking extends EdgeProcess {
	/** The address of the proxy's client, if the edge says it. */
	readonly client: string | undefined;
	/** Unix milliseconds. */
	readonly nowMs: number;
	readonly isAllowedFrom: AllowedLists;
}

/** Decides about a pair whose key is right. The first reason counts. */
export function judge(
	{ username, keyId, reseller, limits }: KnownPair,
	{ edge, process, client, nowMs, isAllowedFrom }: Asking,
): GoodPair | PairRefused {
	const { leftBytes, limitLeftBytes, expiresAtMs, allowedIps, connections, open } = limits;
	const refused = unusableReasonOf(limits, nowMs);
	if (refused === 'suspended' || refused === 'expired') return refused;
	if (client !== undefined && allowedIps !== null && !isAllowedFrom(allowedIps.join(), client))
		return 'address_not_allowed';
	if (refused) return refused;
	const maxConnections = connections === null ? null : mayHaveOpen(connections, { edge, process }, open);
	if (maxConnections === 0) return 'connection_limit_reached';
	const isLimitFirst = limitLeftBytes !== null && (leftBytes === null || limitLeftBytes < leftBytes);
	return {
		username,
		keyId,
		reseller,
		leftBytes: isLimitFirst ? limitLeftBytes : leftBytes,
		leftReason: isLimitFirst ? 'limit_reached' : leftBytes === null ? null : 'exhausted',
		maxConnections,
		maxBytesPerSecond: limits.bytesPerSecond,
		endsInMs: expiresAtMs === null ? null : expiresAtMs - nowMs,
		allowedIps,
	};
}

/** Whether anything limits the pair. What is left changes with each report, and a limit that is lifted must work soon. */
export function isLimited({ isSuspended, isResellerSuspended, ...limits }: PairLimits): boolean {
	const { leftBytes, limitLeftBytes, connections, expiresAtMs, allowedIps } = limits;
	return (
		isSuspended ||
		isResellerSuspended ||
		[leftBytes, limitLeftBytes, connections, expiresAtMs, allowedIps].some((limit) => limit !== null)
	);
}

/** The limits of an account that nothing limits. */
export const NO_LIMITS: PairLimits = {
	leftBytes: null,
	limitLeftBytes: null,
	isSuspended: false,
	isResellerSuspended: false,
	isBeyondDebtLine: false,
	expiresAtMs: null,
	allowedIps: null,
	connections: null,
	bytesPerSecond: null,
	open: [],
};
