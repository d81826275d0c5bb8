import { createServer, type RequestListener, type Server } from 'node:http';
import type { ListenerAnswers } from '../answers.ts';
import type { ListenerLimits } from '../limits.ts';
import { closeGently } from './gentle-close.ts';
import { dropRestOfCut, oneAtATime } from './one-at-a-time.ts';
import { closeQuietConnections } from './quiet-connections.ts';
import { answerBareSocketErrors } from './raw-answers.ts';

/**
 * An HTTP server that no client can stop or fill. Every socket has an error listener from its first to its last moment.
 * Each connection has one request in progress. Every answer has the form that the audience expects, even where Node
 * would answer by itself. `nowMs` is in Unix milliseconds.
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
			maxHeaderSize: limits.headerBytes,
			// `refuseEarly` answers a missing or repeated Host.
			requireHostHeader: false,
			joinDuplicateHeaders: true,
		},
		oneAtATime(handle),
	);
	// Node drops further headers. One more than the limit shows that there were too many.
	server.maxHeadersCount = limits.headerLines + 1;
	dropRestOfCut(server);
	closeQuietConnections(server, limits);
	server.maxConnections = limits.connections;
	// Node removes its own listener when a client asks for CONNECT, and an error without a listener ends the process.
	server.on('connection', (socket) => socket.on('error', ignore));
	closeGently(server);
	answerBareSocketErrors(server, limits.stalledMs, answers, nowMs);
	return server;
}

/** Node destroys a socket that has an error. */
function ignore(): void {}
