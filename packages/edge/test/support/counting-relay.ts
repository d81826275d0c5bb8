import { connect, createServer } from 'node:net';
import type { TestContext } from 'node:test';
import { listen } from '@bursar/testing/listen';

/** A relay in front of a proxy that counts what passes. It is the measure for the usage that the service tells. */
export interface CountingRelay {
	readonly port: number;
	/** Bytes so far, as the proxy's client sees them. */
	readonly bytes: { readonly up: number; readonly down: number };
}

export async function startCountingRelay(test: TestContext, proxyPort: number): Promise<CountingRelay> {
	const bytes = { up: 0, down: 0 };
	const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
		const proxy = connect({ port: proxyPort, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
		client.on('data', (part: Buffer) => {
			bytes.up += part.length;
		});
		proxy.on('data', (part: Buffer) => {
			bytes.down += part.length;
		});
		client.pipe(proxy);
		proxy.pipe(client);
		for (const [one, other] of [
			[client, proxy],
			[proxy, client],
		] as const) {
			one.on('error', () => {});
			one.on('close', () => other.destroySoon());
		}
	});
	return { port: (await listen(test, server)).port, bytes };
}
