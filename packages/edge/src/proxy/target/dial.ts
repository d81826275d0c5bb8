import { connect, type OnReadOpts, type Socket } from 'node:net';
import { type Address, pinned } from '@bursar/terminal/network';

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
