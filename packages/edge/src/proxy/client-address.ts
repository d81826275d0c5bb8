import { isIPv4, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An IPv4 address is written as such, on a socket for IPv6 too. */
export function clientAddress(socket: Pick<Socket, 'remoteAddress'>): string {
	return (socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '');
}

/** Whose connections are counted together: the address, or its /64 for IPv6, all of which one client can use. */
export function clientNetwork(address: string): string {
	if (isIPv4(address) || !ipaddr.isValid(address)) return address;
	const parsed = ipaddr.process(address);
	if (parsed instanceof ipaddr.IPv4) return parsed.toString();
	return new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]).toString();
}
