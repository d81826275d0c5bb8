// The messages of SOCKS5 (RFC 1928), with a username and a password (RFC 1929).

import type { Socket } from 'node:net';

export const SOCKS_VERSION = 5;
/** The methods of signing in: with nothing, and with a username and a password. */
export const BY_NOTHING = 0;
export const BY_PASSWORD = 2;
export const CHOOSE_NOTHING = Buffer.from([SOCKS_VERSION, BY_NOTHING]);
export const CHOOSE_PASSWORD = Buffer.from([SOCKS_VERSION, BY_PASSWORD]);
export const NO_METHOD = Buffer.from([SOCKS_VERSION, 0xff]);
export const PASSWORD_VERSION = 1;
export const PASSWORD_GOOD = Buffer.from([PASSWORD_VERSION, 0]);
export const PASSWORD_WRONG = Buffer.from([PASSWORD_VERSION, 1]);
export const CONNECT = 1;

export const ADDRESS_TYPES = { ipv4: 1, name: 3, ipv6: 4 } as const;

const REPLIES = {
	succeeded: 0,
	failed: 1,
	not_allowed: 2,
	host_unreachable: 4,
	refused: 5,
	command_not_supported: 7,
	address_not_supported: 8,
} as const;

export type SocksReply = keyof typeof REPLIES;

/** The address is left empty: clients have no use for it. */
export function replyMessage(reply: SocksReply): Buffer {
	return Buffer.from([SOCKS_VERSION, REPLIES[reply], 0, ADDRESS_TYPES.ipv4, 0, 0, 0, 0, 0, 0]);
}

/** An address of 4 or 16 bytes as text. */
export function addressText(bytes: Buffer): string {
	if (bytes.length === 4) return bytes.join('.');
	return Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16)).join(':');
}

/** The answer to a client whose ways to sign in are of no use here. */
export function refuseSocks(socket: Socket): void {
	socket.end(NO_METHOD);
	socket.resume();
}
