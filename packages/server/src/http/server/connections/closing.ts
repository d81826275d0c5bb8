import type { Server } from 'node:http';

/** How often idle connections are checked while the service stops, in milliseconds. */
const CHECK_MS = 50;
/** Idle connections are closed from this check on. Checks are counted, not time, in case the process is paused. */
const GRACE_CHECKS = 10;

/**
 * Closes idle connections gently when the server closes. Node would close them at once, but a request may be on its way
 * on a connection that looks idle, and would get no answer. The checks go on until the server is closed, because a
 * connection that is still sending an answer becomes idle later.
 */
export function closeConnectionsGently(server: Server): void {
	const closeIdle = server.closeIdleConnections.bind(server);
	server.closeIdleConnections = () => {};
	let checks = 0;
	const timer = setInterval(() => {
		// Timers run before sockets are read. After `setImmediate`, requests that have arrived are read.
		if (++checks >= GRACE_CHECKS) setImmediate(closeIdle);
	}, CHECK_MS);
	// A server that never listened is never closed.
	timer.unref();
	server.once('close', () => clearInterval(timer));
}
