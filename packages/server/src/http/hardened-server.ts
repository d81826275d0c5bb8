import { createServer, type RequestListener, type Server } from 'node:http';
import { closeGently } from './gentle-close.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { answerBareSocketErrors } from './raw-answers.ts';

/** A request with more header lines is refused (431): each costs many times its bytes in memory. */
export const MAX_HEADER_LINES = 100;

/** What a client may take of a listener. Times in milliseconds. */
export interface ListenerLimits {
	/** From the first byte of a request until it has arrived whole. */
	readonly requestMs: number;
	/** From the first byte of a request until its headers have arrived. */
	readonly headersMs: number;
	/** How often those two are checked. */
	readonly checkMs: number;
	/** A connection stays open this long between requests. */
	readonly keepAliveMs: number;
	/** A connection on which nothing moves for this long, in either direction, is closed. */
	readonly stalledMs: number;
	readonly headerBytes: number;
	readonly connections: number;
}

/**
 * An HTTP server that nothing from outside can stop or fill: every socket has an error listener from its connection
 * to its end, each connection has one request in progress, and whatever Node would answer by itself is answered in
 * the envelope. `nowMs` in Unix milliseconds.
 */
export function createHardenedServer(handle: RequestListener, limits: ListenerLimits, nowMs: () => number): Server {
	const server = createServer(
		{
			requestTimeout: limits.requestMs,
			headersTimeout: limits.headersMs,
			connectionsCheckingInterval: limits.checkMs,
			keepAliveTimeout: limits.keepAliveMs,
			maxHeaderSize: limits.headerBytes,
			// A missing or repeated Host is answered with the other early refusals, in the envelope.
			requireHostHeader: false,
			joinDuplicateHeaders: true,
		},
		oneAtATime(handle),
	);
	// What is beyond it is not kept, and the one more shows that there was more.
	server.maxHeadersCount = MAX_HEADER_LINES + 1;
	server.setTimeout(limits.stalledMs);
	server.maxConnections = limits.connections;
	// Node takes its own listener away when a client asks for CONNECT, and an error that nobody hears ends the process.
	server.on('connection', (socket) => socket.on('error', ignore));
	closeGently(server);
	answerBareSocketErrors(server, limits.stalledMs, nowMs);
	return server;
}

/** A socket that has an error is destroyed by Node. */
function ignore(): void {}
