import { clientNetwork } from './client-address.ts';

/** How many connections each client has. */
export interface ClientSlots {
	/** Takes a slot for a connection from this address; `false` if its client has no more. */
	take(address: string): boolean;
	/** Call this once for each slot that was taken. */
	free(address: string): void;
}

export function createClientSlots(most: number): ClientSlots {
	const taken = new Map<string, number>();
	return {
		take(address) {
			const network = clientNetwork(address);
			const count = taken.get(network) ?? 0;
			if (count >= most) return false;
			taken.set(network, count + 1);
			return true;
		},
		free(address) {
			const network = clientNetwork(address);
			const left = (taken.get(network) ?? 1) - 1;
			if (left === 0) taken.delete(network);
			else taken.set(network, left);
		},
	};
}
