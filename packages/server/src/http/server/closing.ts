import type { Server } from 'node:http';

/** How often connections are looked at while the service stops, in milliseconds. */
const CHECK_MS = 50;
/** So many looks go by before the first idle connection is closed. A machine that stands still takes none. */
const GRACE_CHECKS = 10;

/**
 * A connection that looks idle may have a request on its way, which would never be answered if it were closed at
 * once, as Node does with the listening socket. One whose answer is still under way is idle only later, and would
 * hold the server for as long as its client likes.
 */
export function closeConnectionsGently(server: Server): void {
	const closeIdle = server.closeIdleConnections.bind(server);
	server.closeIdleConnections = () => {};
	let checks = 0;
	const timer = setInterval(() => {
		// Timers run before what has arrived is read: a request that waits to be read is no idle connection.
		if (++checks >= GRACE_CHECKS) setImmediate(closeIdle);
	}, CHECK_MS);
	// A server that never listened is never closed.
	timer.unref();
	server.once('close', () => clearInterval(timer));
}
