import type { Logger } from 'pino';

export interface MostConnections {
	readonly maxConnections: number;
	readonly maxConnectionsPerClient: number;
	readonly maxConnectionsPerAccount: number;
}

/** Each connection of a client may need another one to its destination. */
const FILES_OF_CONNECTION = 2;
/**
 * For refused connections, connections to the service, look-ups, the spool and the log.
 * @bound Files that the process keeps for all but connections: each connection takes two of the rest, and the bounds
 * of connections shrink.
 */
const OTHER_FILES = 512;
/** @bound The fewest connections if the process may open few files: no bound shrinks further. */
const LEAST_CONNECTIONS = 8;
/** The log warns if the limit leaves a smaller share of the connections. */
const WARNED_SHARE = 0.9;

/**
 * As many connections as the limit of open files has room for. Without this bound, one account could use up the files, and
 * connections of all others would fail.
 */
export function fitOpenFiles<Options extends MostConnections>(
	options: Options,
	limit: number | undefined,
	logger: Pick<Logger, 'warn'>,
): Options {
	const needed = options.maxConnections * FILES_OF_CONNECTION + OTHER_FILES;
	if (limit === undefined || limit >= needed) return options;
	const share = Math.max(0, limit - OTHER_FILES) / (needed - OTHER_FILES);
	const fit = (most: number) => Math.max(LEAST_CONNECTIONS, Math.floor(most * share));
	const maxConnections = fit(options.maxConnections);
	const maxConnectionsPerAccount = fit(options.maxConnectionsPerAccount);
	const maxConnectionsPerClient = Math.min(options.maxConnectionsPerClient, maxConnectionsPerAccount);
	const fitting = { maxConnections, maxConnectionsPerAccount, maxConnectionsPerClient };
	if (share < WARNED_SHARE)
		logger.warn(
			{ limit, needed, ...fitting },
			'the limit of open files leaves room for few connections: raise it (ulimit -n, LimitNOFILE)',
		);
	return { ...options, ...fitting };
}
