import type { Server } from 'node:http';

/** While the service stops, what still comes in on open connections is answered for so long. */
const CLOSING_GRACE_MS = 300;
/** How often connections that have become idle are closed while the service stops. */
const CLOSING_CHECK_MS = 50;

/**
 * A connection that looks idle may have a request on its way, which would never be answered if it were
 * closed at once, as Node does with the listening socket. One whose answer is still under way is idle only
 * later, and would hold the server for as long as its client likes.
 */
export function closeConnectionsGently(server: Server): void {
	const closeIdle = server.closeIdleConnections.bind(server);
	server.closeIdleConnections = () => {};
	const graceTimer = setTimeout(() => {
		const idleTimer = setInterval(closeIdle, CLOSING_CHECK_MS).unref();
		server.once('close', () => clearInterval(idleTimer));
	}, CLOSING_GRACE_MS);
	server.once('close', () => clearTimeout(graceTimer));
}
