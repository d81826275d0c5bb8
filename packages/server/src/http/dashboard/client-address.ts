import type { IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import ipaddr from 'ipaddr.js';

export interface ClientAddress {
	/** In its shortest form. */
	readonly text: string;
	/** Whose tries are counted together: the address, or its /64 for IPv6, which a single client can use up. */
	readonly network: string;
}

const UNKNOWN: ClientAddress = { text: 'unknown', network: 'unknown' };

/**
 * Finds out where a request comes from. `X-Forwarded-For` counts only as far as trusted proxies have written it: the
 * client is the last address that is none of theirs. If that is no address, it is the proxy that wrote it.
 */
export function createClientAddresses(
	trustedProxies: readonly string[],
): (request: Pick<IncomingMessage, 'headers' | 'socket'>) => ClientAddress {
	const isTrusted = proxyAddress.compile([...trustedProxies]);
	return (request) => {
		if (request.socket.remoteAddress === undefined) return UNKNOWN;
		// The addresses from ours to the client's.
		const addresses = proxyAddress.all(request as IncomingMessage, isTrusted);
		const valid = addresses.findLast((address) => ipaddr.isValid(address));
		return valid === undefined ? UNKNOWN : addressOf(valid);
	};
}

function addressOf(valid: string): ClientAddress {
	const address = ipaddr.process(valid);
	if (address instanceof ipaddr.IPv4) return { text: address.toString(), network: address.toString() };
	// Without its zone, which can be any text.
	const text = new ipaddr.IPv6(address.parts).toString();
	return { text, network: new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0]).toString() };
}
