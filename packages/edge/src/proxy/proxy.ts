import type { Socket } from 'node:net';
import { isIP } from 'node:net';
import { RECHECK_MS } from '@bursar/contract/edge';
import type { Logger } from 'pino';
import { type CounterReporter, createCounterReporter } from '../agent/counter-reporter.ts';
import type { EdgeClient } from '../agent/edge-client.ts';
import { createPairChecker, type PairChecker } from '../agent/pair-checker.ts';
import { createAccountCounters } from './account-counters.ts';
import { clientAddress } from './client-address.ts';
import { type ClientConnection, createClientConnection } from './client-connection.ts';
import { createClientSlots } from './client-slots.ts';
import { createDestinationPolicy, type DestinationOptions } from './destinations.ts';
import { startPairRecheck } from './pair-recheck.ts';
import { createRequestPreparation } from './prepare-request.ts';
import { TrackedServer } from './tracked-server.ts';

export interface ProxyOptions {
	readonly client: EdgeClient;
	readonly logger: Logger;
	readonly host: string;
	/** With port 0 the system chooses a free port. */
	readonly port: number;
	readonly destinations: DestinationOptions;
	/** With its credentials. */
	readonly upstream?: URL | undefined;
	/** More connections are closed at once. */
	readonly maxConnections: number;
	/** More connections of one client address (IPv6: one /64) are closed at once. */
	readonly maxConnectionsPerClient: number;
	/** A connection on which nothing moves is closed after this time. */
	readonly idleMs: number;
}

export interface RunningProxy {
	/** `http://ADDRESS:PORT`. */
	readonly url: string;
	readonly checker: PairChecker;
	readonly reporter: CounterReporter;
	readonly stats: ProxyStats;
	/** Why it should get no requests now; `undefined` if it is ready. */
	unreadyBecause(): string | undefined;
	/**
	 * Accepts nothing new, lets connections end for a few seconds, cuts the others, and reports the last bytes. Resolves within
	 * ten seconds to the number of accounts whose last bytes the service has not acknowledged.
	 */
	stop(graceMs?: number): Promise<number>;
}

interface ProxyStats {
	readonly connections: number;
	/** Requests and tunnels since the start, refused ones too. */
	readonly requests: number;
	readonly tunnels: number;
	/** Connections that were closed because there were too many, in all or of one client. */
	readonly dropped: number;
	/** Connections that were cut because their pair was not good any more. */
	readonly cut: number;
}

/** A client must send the whole head of its request within this time. */
const HEADERS_TIMEOUT_MS = 10_000;
/** How often that time is checked. */
const HEADERS_CHECK_MS = 2_000;
const KEEP_ALIVE_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;
const TCP_KEEP_ALIVE_MS = 60_000;
const STOP_MS = { requests: 4_000, reports: 5_000 } as const;

/** Starts a proxy. Rejects if its port cannot be listened on. */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
	const { client, logger, upstream } = options;
	const connections = new Map<Socket, ClientConnection>();
	const slots = createClientSlots(options.maxConnectionsPerClient);
	const checker = createPairChecker({ client });
	const reporter = createCounterReporter({ client, logger, collect: countAll });
	const accounts = createAccountCounters(reporter);
	const policy = createDestinationPolicy(options.destinations);
	const prepareRequestFunction = createRequestPreparation({ connections, checker, accounts, policy, upstream });
	let dropped = 0;
	let isStopping = false;

	function countAll(): void {
		for (const connection of connections.values()) connection.count();
		accounts.endRested();
	}

	const server = new TrackedServer(
		{ host: options.host, port: options.port, authRealm: 'bursar-edge', prepareRequestFunction },
		{
			connected(socket) {
				const address = clientAddress(socket);
				if (!slots.take(address)) {
					dropped++;
					return void socket.destroy();
				}
				socket.setKeepAlive(true, TCP_KEEP_ALIVE_MS);
				const connection = createClientConnection(socket, () => {
					connections.delete(socket);
					slots.free(address);
				});
				connections.set(socket, connection);
			},
			began: (socket) => connections.get(socket)?.begin(),
			done: (socket) => connections.get(socket)?.done(),
			failed: (socket) => connections.get(socket)?.endSoon(),
			connecting(clientSocket, target) {
				const connection = connections.get(clientSocket);
				if (!connection) return void target.destroy();
				connection.addTarget(target);
				target.setKeepAlive(true, TCP_KEEP_ALIVE_MS);
				const late = setTimeout(() => {
					target.destroy(Object.assign(new Error('the destination does not answer'), { code: 'ETIMEDOUT' }));
				}, CONNECT_TIMEOUT_MS);
				target.once('connect', () => clearTimeout(late)).once('close', () => clearTimeout(late));
			},
		},
	);
	server.server.maxConnections = options.maxConnections;
	server.server.timeout = options.idleMs;
	server.server.keepAliveTimeout = KEEP_ALIVE_MS;
	server.server.headersTimeout = HEADERS_TIMEOUT_MS;
	// Node reads this when it begins to listen. Its types do not know it.
	Object.assign(server.server, { connectionsCheckingInterval: HEADERS_CHECK_MS });
	// A long upload takes its time.
	server.server.requestTimeout = 0;
	server.server.on('drop', () => dropped++);
	server.on('requestFailed', ({ error }) => logger.error({ err: error }, 'a request failed'));

	await server.listen().catch(async (cause) => {
		await reporter.stop(0);
		throw cause;
	});
	const recheck = startPairRecheck({
		connections: () => connections.values(),
		checker,
		logger,
		intervalMs: RECHECK_MS,
	});

	return {
		url: `http://${isIP(options.host) === 6 ? `[${options.host}]` : options.host}:${server.port}`,
		checker,
		reporter,
		get stats() {
			const { httpRequestCount: requests, connectRequestCount: tunnels } = server.stats;
			return { connections: connections.size, requests, tunnels, dropped, cut: recheck.cut };
		},
		unreadyBecause: () => (isStopping ? 'stopping' : (reporter.stats.away ?? recheck.problem())),
		async stop(graceMs = STOP_MS.requests) {
			isStopping = true;
			const closed = server.close();
			const giveUpAtMs = performance.now() + graceMs;
			while (connections.size > 0 && performance.now() < giveUpAtMs) {
				await new Promise((resolve) => setTimeout(resolve, 20));
			}
			for (const connection of connections.values()) connection.cut();
			recheck.stop();
			await closed;
			return reporter.stop(STOP_MS.reports);
		},
	};
}
