import { isIPv4, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';

/** IPv4 addresses are written as IPv4, also on a socket for IPv6. */
export function clientAddress(socket: Pick<Socket, 'remoteAddress'>): string {
	return (socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '');
}

/** The address, or networks, whose connections are counted together. */
interface ClientNetworks {
	/** The address, or its /64 for IPv6: one client can use all of that. */
	readonly network: string;
	/** The /48 of an IPv6 address: 65,536 networks of /64, the most that one client may have. */
	readonly site?: string;
}

export function clientNetworks(address: string): ClientNetworks {
	if (isIPv4(address) || !ipaddr.isValid(address)) return { network: address };
	const parsed = ipaddr.process(address);
	if (parsed instanceof ipaddr.IPv4) return { network: parsed.toString() };
	const firstOf = (parts: number) => new ipaddr.IPv6(parsed.parts.map((part, n) => (n < parts ? part : 0))).toString();
	return { network: `${firstOf(4)}/64`, site: `${firstOf(3)}/48` };
}
