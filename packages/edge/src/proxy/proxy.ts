import type { Socket } from 'node:net';
import { isIP } from 'node:net';
import type { Logger } from 'pino';
import { type CounterReporter, createCounterReporter } from '../agent/counter-reporter.ts';
import type { EdgeClient } from '../agent/edge-client.ts';
import { startOpenReporter } from '../agent/open-reporter.ts';
import { createPairChecker, type PairChecker } from '../agent/pair-checker.ts';
import type { ReadingSpool } from '../agent/reading-spool.ts';
import { createAccountCounters } from './account-counters.ts';
import { startBalanceWatch } from './balance-watch.ts';
import { clientAddress } from './client-address.ts';
import { type ClientConnection, createClientConnection } from './client-connection.ts';
import { createClientSlots } from './client-slots.ts';
import { createConnectionLog, NO_CONNECTION_LOG } from './connection-log.ts';
import { createDestinationPolicy, type DestinationOptions } from './destinations.ts';
import { startPairRecheck } from './pair-recheck.ts';
import { createRequestPreparation, refusal } from './prepare-request.ts';
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
	/** More connections of one client address (IPv6: one /64) are refused. */
	readonly maxConnectionsPerClient: number;
	/** More connections of one account are refused. */
	readonly maxConnectionsPerAccount: number;
	/** Whether connections and refusals are logged. */
	readonly logsConnections: boolean;
	/** Where readings are kept that wait for the service. */
	readonly spool?: ReadingSpool | undefined;
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
	 * ten seconds to the number of accounts whose last bytes are neither acknowledged by the service nor in the spool.
	 */
	stop(graceMs?: number): Promise<number>;
}

interface ProxyStats {
	readonly connections: number;
	/** Requests and tunnels since the start, refused ones too. */
	readonly requests: number;
	readonly tunnels: number;
	/** Connections that were refused or closed because there were too many, in all or of one client. */
	readonly dropped: number;
	/** Connections that were cut because their pair was not good any more, or its balance has run out. */
	readonly cut: number;
}

/** A client must send the whole head of its request within this time. */
const HEADERS_TIMEOUT_MS = 10_000;
/** How often that time is checked. */
const HEADERS_CHECK_MS = 2_000;
const KEEP_ALIVE_MS = 30_000;
/** With the quarter of a second that the service may be late, a suspended account is cut within two seconds. */
const ASK_MS = 1_500;
const CONNECT_TIMEOUT_MS = 10_000;
const TCP_KEEP_ALIVE_MS = 60_000;
/** How many refused connections wait for their request, and how long. Beyond, they are closed at once. */
const MAX_EXCESS = 256;
const EXCESS_MS = 2_000;
const STOP_MS = { requests: 4_000, reports: 5_000 } as const;

/** Starts a proxy. Rejects if its port cannot be listened on, or the addresses of this machine cannot be read. */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
	const { client, logger, upstream } = options;
	const policy = createDestinationPolicy(options.destinations);
	const connections = new Map<Socket, ClientConnection>();
	/** Those that their client has too many of. */
	const excess = new Set<Socket>();
	const slots = createClientSlots(options.maxConnectionsPerClient);
	const log = options.logsConnections ? createConnectionLog(logger) : NO_CONNECTION_LOG;
	const checker = createPairChecker({ client, bytesOf: (username) => accounts.bytesOf(username) });
	const reporter = createCounterReporter({ client, logger, collect: countAll, spool: options.spool });
	const accounts = createAccountCounters({ reporter, maxConnections: options.maxConnectionsPerAccount });
	const prepareRequestFunction = createRequestPreparation({ connections, checker, accounts, policy, upstream, log });
	let dropped = 0;
	let isStopping = false;

	/** Of accounts with a limit of connections. */
	function openNow(): ReadonlyMap<string, number> {
		const open = new Map<string, number>();
		for (const { pair, counter } of connections.values()) {
			if (pair?.maxConnections !== undefined && counter) open.set(counter.username, counter.connections);
		}
		return open;
	}

	function countAll(): void {
		for (const connection of connections.values()) connection.count();
		accounts.endRested();
	}

	/** Its request gets an answer, so that the client knows why. Floods get none. */
	function refuseClient(socket: Socket, client: string): void {
		dropped++;
		log.refused({ client, reason: 'too_many_of_client' });
		if (excess.size >= MAX_EXCESS) return void socket.destroy();
		excess.add(socket);
		const late = setTimeout(() => socket.destroy(), EXCESS_MS);
		socket.once('close', () => {
			clearTimeout(late);
			excess.delete(socket);
		});
	}

	const server = new TrackedServer(
		{
			host: options.host,
			port: options.port,
			authRealm: 'bursar-edge',
			prepareRequestFunction,
			isDirect: upstream === undefined,
		},
		{
			connected(socket) {
				const client = clientAddress(socket);
				if (!slots.take(client)) return refuseClient(socket, client);
				socket.setKeepAlive(true, TCP_KEEP_ALIVE_MS);
				const connection = createClientConnection(socket, {
					visited: (visit) => log.ended({ client, ...visit }),
					closed() {
						connections.delete(socket);
						slots.free(client);
					},
				});
				connections.set(socket, connection);
				// proxy-chain destroys the socket when it is told.
				socket.prependOnceListener('timeout', () => connection.endsBecause('idle'));
			},
			began(socket) {
				if (excess.has(socket)) return refusal('too_many_of_client');
				connections.get(socket)?.begin();
				return undefined;
			},
			done: (socket) => connections.get(socket)?.done(),
			failed(socket) {
				connections.get(socket)?.endsBecause('refused');
				connections.get(socket)?.endSoon();
			},
			unreachable: (socket, { status }) =>
				connections.get(socket)?.endsBecause(status === 504 ? 'gateway_timeout' : 'bad_gateway'),
			tunnelEnded: (socket, by) => connections.get(socket)?.endsBecause(`closed_by_${by}`),
			connecting(clientSocket, target) {
				const connection = connections.get(clientSocket);
				if (!connection) return void target.destroy();
				connection.addTarget(target);
				target.setKeepAlive(true, TCP_KEEP_ALIVE_MS).setNoDelay(true);
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
	server.server.on('drop', (connection) => {
		dropped++;
		log.refused({ client: clientAddress(connection ?? {}), reason: 'too_many' });
	});
	server.on('requestFailed', ({ error }) => logger.error({ err: error }, 'a request failed'));

	await server.listen().catch(async (cause) => {
		await reporter.stop(0);
		throw cause;
	});
	const recheck = startPairRecheck({
		connections: () => connections.values(),
		checker,
		logger,
		intervalMs: ASK_MS,
	});
	const openReporter = startOpenReporter({ client, openNow });
	const balances = startBalanceWatch({
		connections: () => connections.values(),
		async ask(pairs) {
			await reporter.flush();
			await recheck.ask(pairs);
		},
	});

	return {
		url: `http://${isIP(options.host) === 6 ? `[${options.host}]` : options.host}:${server.port}`,
		checker,
		reporter,
		get stats() {
			const { httpRequestCount: requests, connectRequestCount: tunnels } = server.stats;
			return { connections: connections.size, requests, tunnels, dropped, cut: recheck.cut + balances.cut };
		},
		unreadyBecause: () => (isStopping ? 'stopping' : (reporter.stats.away ?? recheck.problem())),
		async stop(graceMs = STOP_MS.requests) {
			isStopping = true;
			const closed = server.close();
			const giveUpAtMs = performance.now() + graceMs;
			while (connections.size > 0 && performance.now() < giveUpAtMs) {
				await new Promise((resolve) => setTimeout(resolve, 20));
			}
			for (const connection of connections.values()) connection.cut('stopping');
			recheck.stop();
			balances.stop();
			await closed;
			const [unreported] = await Promise.all([reporter.stop(STOP_MS.reports), openReporter.stop(STOP_MS.reports)]);
			return unreported;
		},
	};
}
