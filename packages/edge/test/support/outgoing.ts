import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import type { TestContext } from 'node:test';
import { createLogger } from '@bursar/terminal/logger';
import { listen } from '@bursar/testing/listen';
import { readFromList } from '../../src/proxy/from/from-list.ts';
import { createOutgoingAddresses, type OutgoingAddresses } from '../../src/proxy/from/outgoing.ts';

/** Outgoing addresses, as `--from` lists them. On Linux, connections can leave from all of 127.0.0.0/8. */
export function outgoingOf(list: string, takesFrom = false): OutgoingAddresses {
	return createOutgoingAddresses({ list: readFromList(list), takesFrom });
}

/** Servers that tell a client from where it came: one of HTTP, and an echo that says it first. */
export async function startMirrors(test: TestContext) {
	const http = createHttpServer((request, response) => {
		let bytes = 0;
		request.on('data', (chunk: Buffer) => {
			bytes += chunk.length;
		});
		request.on('end', () => response.end(`you: ${request.socket.remoteAddress}${bytes > 0 ? ` sent ${bytes}` : ''}`));
	});
	const echo = createServer({ allowHalfOpen: true }, (socket) => {
		socket.on('error', () => {}).write(`you: ${socket.remoteAddress}\n`);
		socket.pipe(socket);
	});
	return { http: (await listen(test, http)).port, echo: (await listen(test, echo)).port };
}

/** A log, and its lines about connections. */
export function keptLog() {
	let text = '';
	const logger = createLogger('info', {
		write(line) {
			text += line;
		},
	});
	const lines = (kind: string): Readonly<Record<string, unknown>>[] =>
		text
			.split('\n')
			.filter((line) => line.includes(`"msg":"${kind}"`))
			.map((line) => JSON.parse(line));
	return { logger, lines, text: () => text };
}
