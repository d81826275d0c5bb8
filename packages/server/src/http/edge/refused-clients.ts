import { clientNetwork } from '@bursar/contract/account-refusals';
import { RefusedClients } from '@bursar/contract/edge';
import { normalizeUsername } from '@bursar/contract/username';
import { Compile } from 'typebox/compile';
import type { RefusedOnEdge } from '../../domain/account-refusals.ts';
import { decideTry } from '../../domain/people/tries.ts';
import { firstKeptHour, usageHourOf } from '../../domain/usage-hours.ts';
import { parseTimestamp } from '../../domain/usage-report.ts';

/** Reads what edges say of refused clients. */
export interface RefusedClientsReader {
	/** Those that may be recorded. Of an address, only its network is read. */
	read(edge: string, entries: readonly unknown[]): readonly RefusedOnEdge[];
}

/** @bound Refusals that one edge reports: further ones are left out. */
const LIMIT = { burst: 2_000, intervalMs: 5 };

const refusedClients = Compile(RefusedClients);

/** @param nowMs Unix milliseconds */
export function createRefusedClientsReader(
	nowMs: () => number,
	monotonicMs: () => number = () => performance.now(),
): RefusedClientsReader {
	/** When all of an edge will be forgiven. */
	const told = new Map<string, { readonly forgivenAtMs: number }>();

	function isWithinLimit(edge: string): boolean {
		const decision = decideTry(told.get(edge), LIMIT, monotonicMs());
		if (decision.allowed) told.set(edge, decision);
		return decision.allowed;
	}

	function readEntry(edge: string, entry: unknown, atMostMs: number): RefusedOnEdge | undefined {
		if (!refusedClients.Check(entry)) return undefined;
		const username = normalizeUsername(entry.username);
		const atMs = parseTimestamp(entry.at);
		if (username === undefined || atMs === undefined || usageHourOf(atMs) < firstKeptHour(atMostMs)) return undefined;
		const network = (entry.network !== undefined && clientNetwork(entry.network)) || null;
		// The clock of a proxy host may be ahead.
		return { edge, username, reason: entry.reason, count: entry.count, atMs: Math.min(atMs, atMostMs), network };
	}

	return {
		read(edge, entries) {
			if (entries.length === 0) return [];
			const atMostMs = nowMs();
			return entries.flatMap((entry) => (isWithinLimit(edge) ? (readEntry(edge, entry, atMostMs) ?? []) : []));
		},
	};
}
