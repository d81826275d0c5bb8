import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

const SIGNATURE = '0d0a0d0a000d0a515549540a';

export interface HeaderParts {
	/** The version and the command. 0x21: PROXY. 0x20: LOCAL. */
	readonly command?: number;
	/** The family and the protocol. 0x11: TCP over IPv4. 0x21: over IPv6. */
	readonly family: number;
	/** The addresses, the ports and what follows them. */
	readonly rest: Buffer;
	/** How many bytes the header says that the rest has. */
	readonly said?: number;
}

/** Any header of the PROXY protocol, version 2. */
export function headerOf({ command = 0x21, family, rest, said = rest.length }: HeaderParts): Buffer {
	return Buffer.concat([Buffer.from(SIGNATURE, 'hex'), Buffer.of(command, family, said >> 8, said & 0xff), rest]);
}

/** The header of a load balancer that passes on a connection of this client over TCP. */
export function headerFor(client: string, fields = Buffer.alloc(0)): Buffer {
	const address = Buffer.from(ipaddr.parse(client).toByteArray());
	const ports = Buffer.of(0xc0, 0x00, 0x0c, 0x38);
	const rest = Buffer.concat([address, Buffer.alloc(address.length, 1), ports, fields]);
	return headerOf({ family: isIPv4(client) ? 0x11 : 0x21, rest });
}

/** The header of a load balancer about a connection of its own, such as a health check. */
export const LOCAL_HEADER = headerOf({ command: 0x20, family: 0, rest: Buffer.alloc(0) });
