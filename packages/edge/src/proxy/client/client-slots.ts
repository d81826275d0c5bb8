import { clientNetworks } from './client-address.ts';

/**
 * A site may have this many times the connections of a network, because neighbours may share it.
 * @bound Connections of one IPv6 /48, in those of a client: further ones are answered 429.
 */
const SITE_SHARE = 4;

/** How many connections each client has. */
export interface ClientSlots {
	/** Takes a slot for a connection from this address; `false` if its network or its site has no slot left. */
	take(address: string): boolean;
	/** Call this once for each slot that was taken. */
	free(address: string): void;
}

export function createClientSlots(most: number): ClientSlots {
	const taken = new Map<string, number>();
	const countOf = (key: string) => taken.get(key) ?? 0;

	return {
		take(address) {
			const { network, site } = clientNetworks(address);
			if (countOf(network) >= most || (site !== undefined && countOf(site) >= SITE_SHARE * most)) return false;
			for (const key of [network, site]) if (key !== undefined) taken.set(key, countOf(key) + 1);
			return true;
		},
		free(address) {
			const { network, site } = clientNetworks(address);
			for (const key of [network, site]) {
				if (key === undefined) continue;
				if (countOf(key) <= 1) taken.delete(key);
				else taken.set(key, countOf(key) - 1);
			}
		},
	};
}
