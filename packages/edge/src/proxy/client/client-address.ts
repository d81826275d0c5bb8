import { isIPv4, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An IPv4 address is written as such, on a socket for IPv6 too. */
export function clientAddress(socket: Pick<Socket, 'remoteAddress'>): string {
	return (socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '');
}

/** Whose connections are counted together. */
interface ClientNetworks {
	/** The address, or its /64 for IPv6, all of which one client can use. */
	readonly network: string;
	/** The /48 of an IPv6 address, which has 65,536 networks: a client may have that many at most. */
	readonly site?: string;
}

export function clientNetworks(address: string): ClientNetworks {
	if (isIPv4(address) || !ipaddr.isValid(address)) return { network: address };
	const parsed = ipaddr.process(address);
	if (parsed instanceof ipaddr.IPv4) return { network: parsed.toString() };
	const firstOf = (parts: number) => new ipaddr.IPv6(parsed.parts.map((part, n) => (n < parts ? part : 0))).toString();
	return { network: `${firstOf(4)}/64`, site: `${firstOf(3)}/48` };
}
