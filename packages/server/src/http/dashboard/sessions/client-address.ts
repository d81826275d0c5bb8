import type { IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import { type ClientAddress, readAddress } from '../../server/address.ts';

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
		const valid = addresses.findLast((address) => readAddress(address) !== undefined);
		return (valid && readAddress(valid)) || UNKNOWN;
	};
}
