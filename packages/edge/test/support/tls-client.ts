import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { pemFile } from './certificates.ts';
import { type RawClient, rawClientOn } from './raw-client.ts';

export interface TlsClient extends RawClient {
	readonly socket: TLSSocket;
}

/** A client that speaks TLS to the proxy, on a connection that is there already if it is named. */
export function openTlsClient(
	test: TestContext,
	to: { readonly port: number } | { readonly socket: Socket },
	options: ConnectionOptions = {},
): TlsClient {
	const ca = readFileSync(pemFile('self-signed'));
	const where = 'socket' in to ? { socket: to.socket } : { port: to.port, host: '127.0.0.1' };
	const socket = connect({ ...where, servername: 'localhost', ca, ...options });
	return Object.assign(rawClientOn(test, socket), { socket });
}
