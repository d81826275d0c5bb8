import { createServer, type RequestListener, type Server } from 'node:http';
import type { ListenerAnswers } from './answers.ts';
import { closeGently } from './gentle-close.ts';
import type { ListenerLimits } from './limits.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { answerBareSocketErrors } from './raw-answers.ts';

/**
 * An HTTP server that nothing from outside can stop or fill: every socket has an error listener from its connection
 * to its end, each connection has one request in progress, and whatever Node would answer by itself is answered as
 * the audience expects it. `nowMs` in Unix milliseconds.
 */
export function createHardenedServer(
	handle: RequestListener,
	limits: ListenerLimits,
	answers: ListenerAnswers,
	nowMs: () => number,
): Server {
	const server = createServer(
		{
			requestTimeout: limits.requestMs,
			headersTimeout: limits.headersMs,
			connectionsCheckingInterval: limits.checkMs,
			keepAliveTimeout: limits.keepAliveMs,
			maxHeaderSize: limits.headerBytes,
			// A missing or repeated Host is answered with the other early refusals.
			requireHostHeader: false,
			joinDuplicateHeaders: true,
		},
		oneAtATime(handle),
	);
	// What is beyond it is not kept, and the one more shows that there was more.
	server.maxHeadersCount = limits.headerLines + 1;
	server.setTimeout(limits.stalledMs);
	server.maxConnections = limits.connections;
	// Node takes its own listener away when a client asks for CONNECT, and an error that nobody hears ends the process.
	server.on('connection', (socket) => socket.on('error', ignore));
	closeGently(server);
	answerBareSocketErrors(server, limits.stalledMs, answers, nowMs);
	return server;
}

/** A socket that has an error is destroyed by Node. */
function ignore(): void {}
