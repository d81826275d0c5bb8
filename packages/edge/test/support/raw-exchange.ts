import { connect } from 'node:net';
import { basic } from './proxy-client.ts';

/** One request through a proxy on a connection of its own, with every byte that was sent and received. */
export interface Exchange {
	/** The status of the proxy's answer; 0 if there was none. */
	readonly status: number;
	readonly up: number;
	readonly down: number;
	/** Everything that was received, as Latin-1. */
	readonly text: string;
}

export interface Target {
	readonly method: 'GET' | 'PUT' | 'CONNECT';
	/** A URL; for CONNECT `ADDRESS:PORT` of a server that answers `N\n` with N bytes. */
	readonly target: string;
	/** For PUT and CONNECT. */
	readonly bytesUp?: number;
	/** For CONNECT. */
	readonly bytesDown?: number;
}

const LIMIT_MS = 60_000;

/** The password may have any bytes, as Latin-1. Never rejects. */
export function exchange(port: number, pair: readonly [string, string], options: Target): Promise<Exchange> {
	return exchangeWith(port, `Proxy-Authorization: ${basic(pair)}\r\n`, options);
}

/** With any lines of headers. */
export function exchangeWith(port: number, headers: string, options: Target): Promise<Exchange> {
	const { method, target, bytesUp = 0, bytesDown = 0 } = options;
	return new Promise((resolve) => {
		const socket = connect({ port, host: '127.0.0.1', noDelay: true, timeout: LIMIT_MS });
		const parts: Buffer[] = [];
		let [up, down, inTunnel] = [0, 0, -1];
		const send = (text: string) => {
			up += Buffer.byteLength(text, 'latin1');
			socket.write(text, 'latin1');
		};
		const look = () => {
			if (method !== 'CONNECT') return;
			const text = Buffer.concat(parts).toString('latin1');
			const end = text.indexOf('\r\n\r\n');
			if (inTunnel < 0 && end >= 0 && text.startsWith('HTTP/1.1 200 ')) {
				inTunnel = end + 4;
				send(`${'z'.repeat(bytesUp)}${bytesDown}\n`);
			}
			if (inTunnel >= 0 && text.length === inTunnel + bytesDown) socket.end();
		};
		socket.on('data', (bytes: Buffer) => {
			parts.push(bytes);
			down += bytes.length;
			look();
		});
		socket.on('timeout', () => socket.destroy());
		socket.on('error', () => {});
		socket.on('close', () => {
			const text = Buffer.concat(parts).toString('latin1');
			resolve({ status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? 0), up, down, text });
		});
		const body = method === 'PUT' ? 'z'.repeat(bytesUp) : '';
		const length = method === 'PUT' ? `Content-Length: ${bytesUp}\r\n` : '';
		send(`${method} ${target} HTTP/1.1\r\nHost: origin\r\nConnection: close\r\n${headers}${length}\r\n${body}`);
	});
}
