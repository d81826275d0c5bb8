import { createServer } from 'node:net';
import type { TestContext } from 'node:test';
import { listen } from '@bursar/testing/listen';
import { openRawClient, type RawClient } from './raw-client.ts';
import { basic, KEY, startTestProxy, type TestProxy } from './running-proxy.ts';

export const MEGABYTE = 1_000_000;
/** At a MB a second it takes 2.75 s, because a quarter of a second is saved up. */
export const BYTES = 3 * MEGABYTE;
export const LEAST_MS = 2_500;
export const PAIR = basic('alice', KEY);
export const ESTABLISHED = 'HTTP/1.1 200 Connection Established\r\n\r\n';

/** A proxy in which `alice` has this speed. */
export async function startSlowProxy(
	t: TestContext,
	bytesPerSecond = MEGABYTE,
	options: Parameters<typeof startTestProxy>[1] = {},
): Promise<TestProxy> {
	const proxy = await startTestProxy(t, options);
	proxy.service.limits.set('alice', { max_bytes_per_second: bytesPerSecond });
	return proxy;
}

export async function tunnelTo(t: TestContext, port: number, target: number, pair = PAIR): Promise<RawClient> {
	const client = openRawClient(t, port);
	client.write(`CONNECT 127.0.0.1:${target} HTTP/1.1\r\nProxy-Authorization: ${pair}\r\n\r\n`);
	await client.until(ESTABLISHED);
	return client;
}

/** What this takes, in milliseconds. */
export async function timeOf(work: () => Promise<unknown>): Promise<number> {
	const startedMs = performance.now();
	await work();
	return performance.now() - startedMs;
}

/** An origin that sends these bytes to everyone at once. */
export async function startSource(t: TestContext, bytes: Buffer): Promise<number> {
	return (
		await listen(
			t,
			createServer((socket) => socket.on('error', () => {}).end(bytes)),
		)
	).port;
}

/** An origin that takes what comes. It answers when it has so many bytes of a client, or the client has ended. */
export async function startSink(t: TestContext, bytes = Number.POSITIVE_INFINITY) {
	const got: Buffer[] = [];
	const server = createServer({ allowHalfOpen: true }, (socket) => {
		const parts: Buffer[] = [];
		let length = 0;
		const answer = () => {
			got.push(Buffer.concat(parts));
			socket.end('thanks');
		};
		socket
			.on('error', () => {})
			.on('data', (part: Buffer) => {
				parts.push(part);
				length += part.length;
				if (length === bytes) answer();
			});
		socket.on('end', () => {
			if (length < bytes) answer();
		});
	});
	return { port: (await listen(t, server)).port, got };
}
