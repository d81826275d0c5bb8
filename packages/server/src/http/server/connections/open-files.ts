import type { Server } from 'node:net';
import type { Logger } from 'pino';

/**
 * The files that the process opens besides its connections: those of the store, its threads and the log.
 * @bound Files that the process keeps for all but connections: connections have the rest.
 */
const OTHER_FILES = 256;
/** @bound The fewest connections of a listener if the process may open few files: no listener gets fewer. */
const LEAST_CONNECTIONS = 8;
/** How often refused connections are logged, in milliseconds. */
const TELL_MS = 10_000;

/** How many files a process with so many connections may need. */
export function filesNeeded(connections: readonly number[]): number {
	return connections.reduce((sum, most) => sum + most, OTHER_FILES);
}

/**
 * Gives each listener its share of the connections that the limit of open files leaves. Without it, a listener that
 * used up all files would silently take them from the others, and from the store: neither the system nor Node says so.
 */
export function shareOpenFiles(servers: readonly Server[], limit: number | undefined, logger: Logger): void {
	const needed = filesNeeded(servers.map(({ maxConnections }) => maxConnections));
	if (limit === undefined || limit >= needed) return;
	const share = Math.max(0, limit - OTHER_FILES) / (needed - OTHER_FILES);
	for (const server of servers) {
		server.maxConnections = Math.max(LEAST_CONNECTIONS, Math.floor(server.maxConnections * share));
	}
	const connections = servers.map(({ maxConnections }) => maxConnections);
	logger.warn(
		{ limit, needed, connections },
		'the limit of open files leaves room for few connections: raise it (ulimit -n, LimitNOFILE)',
	);
}

/** Logs when a listener refuses connections because it has as many as it may have: at once, and then at most every 10 s. */
export function tellRefusedConnections(server: Server, logger: Logger): void {
	let refused = 0;
	let timer: NodeJS.Timeout | undefined;
	function tell(): void {
		timer = undefined;
		if (refused === 0) return;
		logger.warn({ refused, connections: server.maxConnections }, 'connections were refused: the listener has its most');
		refused = 0;
		timer = setTimeout(tell, TELL_MS).unref();
	}
	server.on('drop', () => {
		refused++;
		if (!timer) tell();
	});
}
