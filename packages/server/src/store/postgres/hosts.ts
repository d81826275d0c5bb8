import type { DatabaseUrl } from '../database-url.ts';

/** Which of the hosts may be the primary now. All connections of a store share it, and with it what one of them learns. */
export interface Hosts {
	/** The URL to try. */
	current(): string;
	/** That one took no connection, or is no primary: the next one is tried, unless somebody else has moved on already. */
	failed(url: string): void;
	/**
	 * A connection does not answer. The others to the same server would not either, so all that were opened
	 * up to now are done with.
	 */
	distrust(): void;
	/** Grows whenever all connections are done with. */
	readonly generation: number;
}

export function createHosts({ hostUrls }: DatabaseUrl): Hosts {
	let place = 0;
	let generation = 0;
	const current = () => hostUrls[place] as string;
	return {
		current,
		failed(url) {
			if (url === current()) place = (place + 1) % hostUrls.length;
		},
		distrust() {
			generation++;
		},
		get generation() {
			return generation;
		},
	};
}
