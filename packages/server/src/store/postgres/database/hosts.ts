import type { DatabaseUrl } from '../../database-url.ts';
import type { DatabaseState } from '../../store.ts';

/** Tells which host is taken for the primary. All connections of a store share it. */
export interface Hosts {
	/** The URL to try. */
	current(): string;
	/** Each host with its port, without secrets, and the one to try. */
	names(): Pick<DatabaseState, 'hosts' | 'primary'>;
	/** Called if a host refuses connections or is no primary, or has turned us away before. Moves on to the next host, once for each failed host. */
	failed(url: string): void;
	/** Called if a connection does not answer. Every connection that was opened before is dropped as well. */
	distrust(): void;
	/** Grows with each `distrust`. A connection of an earlier generation is not used any more. */
	readonly generation: number;
}

export function createHosts({ hostUrls }: DatabaseUrl): Hosts {
	let index = 0;
	let generation = 0;
	const names = hostUrls.map(nameOf);
	const current = () => hostUrls[index] as string;
	return {
		current,
		names: () => ({ hosts: names, primary: names[index] as string }),
		failed(url) {
			if (url === current()) index = (index + 1) % hostUrls.length;
		},
		distrust() {
			generation++;
		},
		get generation() {
			return generation;
		},
	};
}

/** Not the whole URL, which holds the password. A socket is a path in the settings of the URL. */
function nameOf(url: string): string {
	const { host, searchParams } = new URL(url);
	return host || searchParams.get('host') || 'localhost';
}
