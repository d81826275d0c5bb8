import type { LookupFunction } from 'node:net';
import type { Address } from './destinations.ts';

/** Answers each look-up of `node:net` with the addresses that were checked. */
export function pinned(addresses: readonly Address[]): LookupFunction {
	return (_name, options, callback) => {
		if (options.all) return callback(null, [...addresses]);
		const [first] = addresses;
		callback(null, first?.address ?? '', first?.family);
	};
}
