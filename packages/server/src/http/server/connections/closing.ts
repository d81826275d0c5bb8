import type { Server } from 'node:http';

/** How often idle connections are checked while the service stops, in milliseconds. */
const CHECK_MS = 50;
/** Idle connections are closed from this check on. Checks are counted, not time, in case the process is paused. */
const GRACE_CHECKS = 10;
/** A turn of the event loop is quiet if it took less than this, in milliseconds, and no connection arrived in it. */
const QUIET_TURN_MS = 0.2;
/** @bound A listener that stops waits until no connection arrives: then it closes. */
const QUIET_LIMIT_MS = 500;

/**
 * Makes the server close so that every request which arrives has an answer. Resolves when it accepts no more connections:
 * a client that is refused earlier connects again.
 *
 * Node would close idle connections at once, but a request may be on its way on a connection that looks idle. The checks
 * go on until the server is closed, because a connection that is still sending an answer becomes idle later.
 */
export function closeConnectionsGently(server: Server): Promise<void> {
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
	return closeInQuietTurn(server);
}

/**
 * The system has connections ready that the service has not accepted yet, and resets them when the server closes. So it
 * closes right after a turn of the event loop in which none arrived.
 */
function closeInQuietTurn(server: Server): Promise<void> {
	const { promise, resolve: isClosed } = Promise.withResolvers<void>();
	if (!server.listening) isClosed();
	const close = server.close.bind(server);
	server.close = (done) => {
		const giveUpAtMs = performance.now() + QUIET_LIMIT_MS;
		let arrivedAtMs = 0;
		let turnBeganAtMs = 0;
		server.on('connection', () => {
			arrivedAtMs = performance.now();
		});
		function look(): void {
			const nowMs = performance.now();
			const isQuiet = nowMs - turnBeganAtMs < QUIET_TURN_MS && arrivedAtMs < turnBeganAtMs;
			turnBeganAtMs = nowMs;
			if (!isQuiet && nowMs < giveUpAtMs) return void setImmediate(look);
			close(done);
			isClosed();
		}
		setImmediate(look);
		return server;
	};
	return promise;
}
