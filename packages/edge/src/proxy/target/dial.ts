import { connect, type LookupFunction, type OnReadOpts, type Socket } from 'node:net';
import type { Address } from './destinations.ts';

/** A destination, with the addresses that were checked. */
export interface Destination {
	/** A name or an address, without brackets. */
	readonly host: string;
	readonly port: number;
	readonly addresses: readonly Address[];
}

/** Connects to one of the addresses. They are tried one after another, each for a quarter of a second at first (RFC 8305). */
export function dial({ host, port, addresses }: Destination, onread?: OnReadOpts): Socket {
	return connect({
		host,
		port,
		lookup: pinned(addresses),
		allowHalfOpen: true,
		...(onread && { onread }),
	});
}

/** Answers each look-up with the addresses that were checked. */
export function pinned(addresses: readonly Address[]): LookupFunction {
	return (_name, options, callback) => {
		if (options.all) return callback(null, [...addresses]);
		const [first] = addresses;
		callback(null, first?.address ?? '', first?.family);
	};
}
