import type { IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import { type ClientAddress, readAddress } from '../../server/address.ts';

const UNKNOWN: ClientAddress = { text: 'unknown', network: 'unknown' };
/** Some proxies write the client's port too: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const WITH_PORT = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/;

/**
 * Finds out where a request comes from. `X-Forwarded-For` counts only as far as trusted proxies have written it: the
 * client is the last address that is none of theirs. If a proxy wrote no address, the client is that proxy: what stands
 * before it was perhaps written by the client.
 */
export function createClientAddresses(
	trustedProxies: readonly string[],
): (request: Pick<IncomingMessage, 'headers' | 'socket'>) => ClientAddress {
	const isTrusted = proxyAddress.compile([...trustedProxies]);
	return ({ headers, socket }) => {
		let client = readAddress(socket.remoteAddress ?? '');
		if (!client) return UNKNOWN;
		const forwarded = forwardedFor(headers);
		// From our side to the client's.
		for (let hop = forwarded.length - 1; hop >= 0 && isTrusted(client.text, 0); hop--) {
			const next = readForwarded(forwarded[hop] as string);
			if (!next) return client;
			client = next;
		}
		return client;
	};
}

function forwardedFor({ 'x-forwarded-for': header }: IncomingMessage['headers']): readonly string[] {
	return header === undefined ? [] : header.toString().split(',');
}

function readForwarded(written: string): ClientAddress | undefined {
	const text = written.trim();
	const [, ipv6, ipv4] = WITH_PORT.exec(text) ?? [];
	return readAddress(ipv6 ?? ipv4 ?? text);
}
