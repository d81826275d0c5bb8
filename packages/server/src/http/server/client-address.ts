import type { IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import { type ClientAddress, readAddress, sameForAll } from './address.ts';
import { keepNewest } from './keep-newest.ts';

const UNKNOWN = sameForAll('unknown');
/** Some proxies write the client's port too: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const WITH_PORT = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/;

/**
 * An address is read for each change of a balance, and clients send many. Longer headers are read each time.
 * @bound Addresses of clients that are remembered: others are read again.
 */
const MAX_REMEMBERED = 1_000;
/** @bound Characters of an `X-Forwarded-For` that is remembered: a longer one is read again. */
const MAX_REMEMBERED_CHARACTERS = 200;

/** Where a request comes from. */
export type ClientAddresses = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => ClientAddress;

/**
 * Finds out where requests come from. `X-Forwarded-For` counts only as far as trusted proxies have written it: the
 * client is the last address that is none of theirs. If a proxy wrote no address, the client is that proxy: what stands
 * before it was perhaps written by the client.
 */
export function createClientAddresses(trustedProxies: readonly string[]): ClientAddresses {
	const isTrusted = proxyAddress.compile([...trustedProxies]);
	const remembered = new Map<string, ClientAddress>();

	function read(remoteAddress: string, forwardedFor: string): ClientAddress {
		let client = readAddress(remoteAddress);
		if (!client) return UNKNOWN;
		const forwarded = forwardedFor.split(',');
		// From our side to the client's.
		for (let hop = forwarded.length - 1; hop >= 0 && isTrusted(client.text, 0); hop--) {
			const next = readForwarded(forwarded[hop] as string);
			if (!next) return client;
			client = next;
		}
		return client;
	}

	return ({ headers, socket: { remoteAddress } }) => {
		if (remoteAddress === undefined) return UNKNOWN;
		const forwardedFor = headers['x-forwarded-for']?.toString() ?? '';
		const key = `${remoteAddress} ${forwardedFor}`;
		const known = remembered.get(key);
		if (known) return known;
		const address = read(remoteAddress, forwardedFor);
		if (key.length <= MAX_REMEMBERED_CHARACTERS) keepNewest(remembered, key, address, MAX_REMEMBERED);
		return address;
	};
}

function readForwarded(written: string): ClientAddress | undefined {
	const text = written.trim();
	const [, ipv6, ipv4] = WITH_PORT.exec(text) ?? [];
	return readAddress(ipv6 ?? ipv4 ?? text);
}
