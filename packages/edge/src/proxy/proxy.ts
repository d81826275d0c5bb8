import { once } from 'node:events';
import { type AddressInfo, isIP, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { AccountRefusal } from '@bursar/contract/account-refusals';
import { allowedAddresses } from '@bursar/contract/allowed-ips';
import { createDestinationPolicy, createIsOwn, type DestinationOptions } from '@bursar/terminal/network';
import type { Logger } from 'pino';
import { type CounterReporter, createCounterReporter } from '../agent/counter-reporter.ts';
import type { EdgeClient } from '../agent/edge-client.ts';
import { startOpenReporter } from '../agent/open-reporter.ts';
import { createPairChecker, type PairChecker } from '../agent/pair-checker.ts';
import type { ReadingSpool } from '../agent/reading-spool.ts';
import { type RefusalReporter, startRefusalReporter } from '../agent/refusal-reporter.ts';
import { createAccountCounters } from './account/account-counters.ts';
import { startBalanceWatch } from './account/balance-watch.ts';
import { createConnectionLog, NO_CONNECTION_LOG } from './account/connection-log.ts';
import { startPairRecheck } from './account/pair-recheck.ts';
import { createAcceptor, type Spoken } from './client/acceptor.ts';
import type { Certificate } from './client/certificate.ts';
import { clientAddress } from './client/client-address.ts';
import { type ClientConnection, createClientConnection } from './client/client-connection.ts';
import { createClientSlots } from './client/client-slots.ts';
import type { DeniedDestinations } from './denied/denied.ts';
import type { OutgoingAddresses } from './from/outgoing.ts';
import { createHttpSide } from './http/http-side.ts';
import { createRouter, type Router } from './route.ts';
import { refuseSocks } from './socks/messages.ts';
import { createSocksSide } from './socks/socks-side.ts';
import { type AccountSpeeds, createAccountSpeeds, type SpeedSharing } from './speed/account-speeds.ts';
import type { Upstreams } from './upstream/exit.ts';

export interface ProxyOptions {
	readonly client: EdgeClient;
	readonly logger: Logger;
	readonly host: string;
	/** With port 0 the system chooses a free port. */
	readonly port: number;
	readonly destinations: DestinationOptions;
	/** If it has any, all connections go through them. */
	readonly upstreams?: Upstreams | undefined;
	/** From where connections to destinations leave. Not those to upstreams. */
	readonly outgoing?: OutgoingAddresses | undefined;
	readonly denied?: DeniedDestinations | undefined;
	/** Whether clients may send options that no upstream takes. */
	readonly passesUnknownOptions?: boolean | undefined;
	/** Further connections are closed at once. */
	readonly maxConnections: number;
	/** Further connections of one client address (IPv6: one /64) are refused. */
	readonly maxConnectionsPerClient: number;
	/** Further connections of one account are refused. */
	readonly maxConnectionsPerAccount: number;
	/** Whether connections and refusals are logged. */
	readonly logsConnections: boolean;
	/** With it, clients may also speak TLS on the same port. */
	readonly certificate?: Pick<Certificate, 'context'> | undefined;
	/** Addresses and networks from which connections begin with a header of the PROXY protocol, version 2. */
	readonly loadBalancers?: readonly string[] | undefined;
	/** Where readings are kept that wait for the service. */
	readonly spool?: ReadingSpool | undefined;
	/** How it shares speed limits with the other processes of this host. */
	readonly speedSharing?: SpeedSharing | undefined;
	/** A connection on which no byte moves for this time is closed. */
	readonly idleMs: number;
}

export interface RunningProxy {
	/** `http://ADDRESS:PORT`. */
	readonly url: string;
	readonly checker: PairChecker;
	readonly reporter: CounterReporter;
	readonly refusals: Pick<RefusalReporter, 'stats'>;
	readonly speeds: Pick<AccountSpeeds, 'takeShares'>;
	readonly stats: ProxyStats;
	/** Why it should get no requests now; `undefined` if it is ready. */
	unreadyBecause(): string | undefined;
	/**
	 * Accepts no new connections. Lets open ones end for a few seconds, or for `graceMs`, and cuts the others. Then reports
	 * the last bytes, for a few seconds or for `reportMs`. A later call may shorten both. Resolves to the number of
	 * accounts whose last bytes are neither acknowledged by the service nor in the spool.
	 */
	stop(graceMs?: number, reportMs?: number): Promise<number>;
}

interface ProxyStats {
	readonly connections: number;
	/** Plain requests, and tunnels of HTTP and SOCKS5, since the start, including refused ones. */
	readonly requests: number;
	readonly tunnels: number;
	/** Connections that were refused or closed because there were too many, in all or of one client. */
	readonly dropped: number;
	/** Connections that were cut because their pair was not good any more, or its balance has run out. */
	readonly cut: number;
	/** Requests whose destination was not served, by the reason. */
	readonly noWay: Router['noWay'];
}

/** The service may be late by a quarter of a second. With this interval, a suspended account is cut within two seconds. */
const ASK_MS = 1_500;
/** How often a stop looks whether all connections have ended. */
const LOOK_MS = 20;
/** @bound A client that has just connected sends nothing while the proxy stops: then it is closed. */
const SILENT_MS = 2_000;
/** @bound A client that has begun to send signs in while the proxy stops: then it is closed. */
const UNKNOWN_MS = 10_000;
/** @bound Requests, and then the last reports, once the proxy stops: then they are given up. */
const STOP_MS = { requests: 4_000, reports: 5_000 } as const;

/** Starts a proxy. Rejects if it cannot listen on its port, or cannot read the addresses of this machine. */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
	const { client, logger, idleMs } = options;
	const policy = createDestinationPolicy(options.destinations);
	const connections = new Map<Socket, ClientConnection>();
	const log = options.logsConnections ? createConnectionLog(logger) : NO_CONNECTION_LOG;
	const checker = createPairChecker({ client, bytesOf: (username) => accounts.bytesOf(username) });
	const reporter = createCounterReporter({ client, logger, collect: countAll, spool: options.spool });
	const accounts = createAccountCounters({ reporter, maxConnections: options.maxConnectionsPerAccount });
	const refusals = startRefusalReporter({ client, isAway: () => reporter.stats.away !== undefined });
	const speeds = createAccountSpeeds(options.speedSharing);
	const isLoadBalancer = allowedAddresses(options.loadBalancers ?? []);
	const { ownAddresses, isRoutedHere } = options.destinations;
	const isOwn = createIsOwn(ownAddresses);
	const router = createRouter({
		checker,
		isOfClients: (address) => !isLoadBalancer(address) && !isOwn(address) && !isRoutedHere?.(address),
		accounts,
		policy,
		upstreams: options.upstreams,
		outgoing: options.outgoing,
		denied: options.denied,
		passesUnknownOptions: options.passesUnknownOptions ?? false,
		log,
		refusals,
	});
	const http = createHttpSide({ router, connectionOf: (socket) => connections.get(socket), idleMs });
	const socks = createSocksSide({ router, idleMs });
	const acceptor = createAcceptor({
		slots: createClientSlots(options.maxConnectionsPerClient),
		log,
		certificate: options.certificate,
		isLoadBalancer,
		serve,
	});
	const { server } = http;
	let dropped = 0;
	let stopping: Promise<number> | undefined;
	/** Until when connections may end, and how long the last bytes are reported after that. */
	let cutAtMs = Number.POSITIVE_INFINITY;
	let reportForMs = Number.POSITIVE_INFINITY;
	let isCut = false;

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

	function cutOff({ client, pair }: Pick<ClientConnection, 'client' | 'pair'>, reason: AccountRefusal): void {
		refusals.add({ username: pair?.username ?? '', reason, client });
	}

	function serve(spoken: Spoken): void {
		const { socket, client, protocol, isTooMuch } = spoken;
		if (isTooMuch) {
			if (protocol === 'socks') refuseSocks(socket);
			else http.serve(socket);
			return;
		}
		const connection = createClientConnection(spoken, speeds, {
			visited: (visit) => log.ended({ client, ...visit }),
			closed: () => connections.delete(socket),
		});
		connections.set(socket, connection);
		socket.on('timeout', () => {
			if (connection.speed.isWaiting()) socket.setTimeout(socket.timeout ?? 0);
			else connection.cut('idle');
		});
		if (protocol === 'socks') socks.serve(connection);
		else http.serve(socket);
	}

	server.maxConnections = options.maxConnections;
	server.on('connection', acceptor.accept);
	server.on('drop', (connection) => {
		dropped++;
		log.refused({ client: clientAddress({ remoteAddress: connection?.remoteAddress }), reason: 'too_many' });
	});
	server.listen(options.port, options.host);
	await once(server, 'listening').catch(async (cause) => {
		await Promise.all([reporter.stop(0), refusals.stop(0)]);
		throw cause;
	});
	const { port } = server.address() as AddressInfo;
	const recheck = startPairRecheck({
		connections: () => connections.values(),
		checker,
		logger,
		onCut: cutOff,
		intervalMs: ASK_MS,
	});
	const openReporter = startOpenReporter({ client, openNow });
	const balances = startBalanceWatch({
		connections: () => connections.values(),
		ask: (pairs) => reporter.flush(() => recheck.ask(pairs)),
		onCut: cutOff,
	});

	/** Node checks the time of request heads only while it listens. */
	function endUnknown(): void {
		for (const connection of connections.values()) if (!connection.pair) connection.cut('stopping');
	}

	async function stopOnce(): Promise<number> {
		const closed = once(server, 'close');
		// This also ends connections that wait for their next request.
		server.close();
		const silentUntilMs = performance.now() + SILENT_MS;
		const unknown = setTimeout(endUnknown, UNKNOWN_MS);
		while (acceptor.open + acceptor.silent > 0 && performance.now() < cutAtMs) {
			if (performance.now() >= silentUntilMs) acceptor.endSilent();
			await pause(LOOK_MS);
		}
		clearTimeout(unknown);
		acceptor.endSilent();
		for (const connection of connections.values()) connection.cut('stopping');
		recheck.stop();
		balances.stop();
		speeds.stop();
		await closed;
		isCut = true;
		const [unreported] = await Promise.all([
			reporter.stop(reportForMs),
			openReporter.stop(STOP_MS.reports),
			refusals.stop(STOP_MS.reports),
		]);
		return unreported;
	}

	return {
		url: `http://${isIP(options.host) === 6 ? `[${options.host}]` : options.host}:${port}`,
		checker,
		reporter,
		refusals,
		speeds,
		get stats() {
			return {
				connections: acceptor.open,
				requests: http.stats.requests,
				tunnels: http.stats.tunnels + socks.stats.tunnels,
				dropped: dropped + acceptor.refused,
				cut: recheck.cut + balances.cut,
				noWay: router.noWay,
			};
		},
		unreadyBecause: () => (stopping ? 'stopping' : (reporter.stats.away ?? recheck.problem())),
		stop(graceMs = STOP_MS.requests, reportMs = STOP_MS.reports) {
			cutAtMs = Math.min(cutAtMs, performance.now() + graceMs);
			reportForMs = Math.min(reportForMs, reportMs);
			stopping ??= stopOnce();
			if (isCut) void reporter.stop(reportForMs);
			return stopping;
		},
	};
}
