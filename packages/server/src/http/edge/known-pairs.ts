import { STORE_AWAY_MS } from '@bursar/contract/edge';
import type { StoredPair } from '../../store/tables/edges/edges.ts';
import { keepNewest } from '../server/keep-newest.ts';
import type { NamedKey } from './sent-key.ts';

/** What the store said about the limits of a pair. */
export type PairLimits = Omit<StoredPair, 'key' | 'reseller'>;

/** What the store said about a username. Without an account, the key is one that no client has. */
export interface KnownPair extends NamedKey {
	readonly username: string;
	/** Whether there is such an account. */
	readonly exists: boolean;
	/** Whose account it is. Without an account, it is empty. */
	readonly reseller: string;
	/** What limits it. */
	readonly limits: PairLimits;
	/** When the store was asked, in monotonic milliseconds. */
	readonly readAtMs: number;
}

/**
 * Remembers pairs. When there is no room, the one that was read longest ago is forgotten. Names without an account have
 * a room of their own, so that invented names drive out no pair.
 */
export interface KnownPairs {
	get(username: string): KnownPair | undefined;
	remember(pair: KnownPair): void;
	/** Forgets pairs that are too old for any use. */
	forgetOld(nowMs: number): void;
}

/** @bound Accounts whose pairs are remembered: the oldest are forgotten. */
const MAX_ACCOUNTS = 100_000;
/** @bound Names without an account that are remembered: the oldest are forgotten. */
const MAX_INVENTED = 10_000;

export function createKnownPairs({ maxAccounts = MAX_ACCOUNTS, maxInvented = MAX_INVENTED } = {}): KnownPairs {
	/** In the order in which they were read. */
	const accounts = new Map<string, KnownPair>();
	const invented = new Map<string, KnownPair>();

	return {
		get: (username) => accounts.get(username) ?? invented.get(username),
		remember(pair) {
			(pair.exists ? invented : accounts).delete(pair.username);
			if (pair.exists) keepNewest(accounts, pair.username, pair, maxAccounts);
			else keepNewest(invented, pair.username, pair, maxInvented);
		},
		forgetOld(nowMs) {
			for (const room of [accounts, invented]) {
				for (const [username, { readAtMs }] of room) {
					if (nowMs - readAtMs < STORE_AWAY_MS) break;
					room.delete(username);
				}
			}
		},
	};
}
