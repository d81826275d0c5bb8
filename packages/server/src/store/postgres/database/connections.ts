import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { PoolState } from '../../store.ts';
import { PostgresError } from './faults.ts';
import type { Hosts } from './hosts.ts';

/** The answer to a statement: its rows, and the command tag (`COMMIT`, `ROLLBACK`). */
export interface Reply<Row> {
	readonly rows: readonly Row[];
	readonly tag: string;
	/** How many rows the statement wrote. */
	readonly count: number;
}

/** A connection to the primary, until it is released or destroyed. */
export interface Lease {
	/** Rejects with `PostgresError`. Queries that are sent without waiting go out together, and run in order. */
	query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Reply<Row>>;
	/** Gives the connection back. */
	release(): void;
	/** Closes the connection, and the server ends what it was doing. Does nothing after `release`. */
	destroy(): void;
	/** Called if the connection does not answer. All connections that are open now are no longer used. */
	distrust(): void;
	/** Removes the time limit. */
	unlimit(): void;
	/** Called for each warning of the server. */
	onWarning: (() => void) | undefined;
}

/** Runs statements of a transaction. Each rejects if the transaction did not begin. */
export type Query = Lease['query'];

export interface Connections {
	/**
	 * Waits for a connection to the primary, until `giveUpAtMs` (monotonic milliseconds). At that time the connection is
	 * destroyed, unless it was released or its limit was removed. Rejects with `PostgresError`.
	 */
	acquire(giveUpAtMs: number): Promise<Lease>;
	state(): Omit<PoolState, 'pool'>;
	close(): Promise<void>;
}

/** @bound A host of the database accepts a connection: then the next host is tried. */
const CONNECT_LIMIT_MS = 1_000;
/** The pause before another attempt to connect. With less time left, there is none. */
export const RETRY_MS = 50;
const KEEP_ALIVE_MS = 10_000;
/** Shorter than the idle limits of common proxies. */
const IDLE_LIMIT_MS = 30_000;

/** The pool's hook for a new connection, which is missing in its types. */
type VerifyHook = (client: pg.Client, done: (error?: Error) => void) => void;

const IS_STANDBY = 'SELECT pg_catalog.pg_is_in_recovery() AS standby';
const BIGINT = 20;
const SUCCESSFUL_COMPLETION = '00000';
const IN_FAILED_TRANSACTION = '25P02';
const NONE_FREE = new Error('no connection became free in time');

/** At most `max` connections. Each is opened when it is needed, to the host that is the primary at that time. */
export function openConnections(hosts: Hosts, { max }: { readonly max: number }): Connections {
	const generations = new WeakMap<pg.ClientBase, number>();
	class PrimaryClient extends pg.Client {
		constructor(options: pg.ClientConfig = {}) {
			// The limit is set for the client: with a limit of the pool, clients that become ready just after it are lost.
			super({ ...options, connectionString: hosts.current(), connectionTimeoutMillis: CONNECT_LIMIT_MS });
			generations.set(this, hosts.generation);
		}

		/** Called by the pool. Closes the socket if the login fails: it would stay open on the server. */
		override connect = ((done: (error: Error | null) => void) =>
			super.connect((error: Error | null) => {
				if (error) cut(this);
				done(error);
			})) as unknown as pg.Client['connect'];
	}
	const options: pg.PoolConfig & { verify: VerifyHook } = {
		max,
		Client: PrimaryClient,
		pipeline: true,
		application_name: 'bursar',
		idleTimeoutMillis: IDLE_LIMIT_MS,
		keepAlive: true,
		keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
		types: { getTypeParser: typeParser },
		// Only a connection to a primary is used. Defaults that make transactions read-only do not matter.
		verify(client, done) {
			const timer = setTimeout(() => cut(client), CONNECT_LIMIT_MS);
			client
				.query(IS_STANDBY)
				.finally(() => clearTimeout(timer))
				.then(
					({ rows: [row] }) =>
						done(row.standby ? new Error('the server takes no writes: it is a standby, not a primary') : undefined),
					done,
				);
		},
	};
	const pool = new pg.Pool(options);
	// A connection that is lost while idle is replaced later. A connection in use reports the loss to its query.
	pool.on('error', () => {});
	pool.on('connect', (client) => client.on('error', () => {}));

	async function acquire(giveUpAtMs: number): Promise<Lease> {
		const refusals: Refusals = new Map();
		for (;;) {
			if (pool.ending) throw new Error('the connections are closed');
			while (isTurnedAway(refusals.get(hosts.names().primary))) hosts.failed(hosts.current());
			const tried = hosts.current();
			const { primary: name, hosts: names } = hosts.names();
			try {
				const client = await orTooLate(pool.connect(), giveUpAtMs);
				if (generations.get(client) === hosts.generation) return leaseOf(client, hosts, giveUpAtMs);
				end(client);
			} catch (cause) {
				if (cause !== NONE_FREE) {
					hosts.failed(tried);
					refusals.set(name, new PostgresError(cause));
				}
				const isHopeless = names.every((each) => isTurnedAway(refusals.get(each)));
				if (isHopeless || performance.now() + RETRY_MS > giveUpAtMs) throw refusedBy(refusals);
				await delay(RETRY_MS);
			}
		}
	}

	return {
		acquire,
		state() {
			const { totalCount, idleCount, waitingCount } = pool;
			return { used: totalCount - idleCount, idle: idleCount, free: max - totalCount, waiting: waitingCount };
		},
		close: () => pool.end(),
	};
}

/** Why hosts could not be used: the last fault of each, by its name. */
type Refusals = Map<string, PostgresError>;

/** A wrong password or a wrong database name: to ask this host again does not help. Another one may be the primary. */
function isTurnedAway(fault: PostgresError | undefined): boolean {
	return fault !== undefined && (/^(28|3D)/.test(fault.code) || fault.message.startsWith('SASL'));
}

/** One fault that names each host. */
function refusedBy(refusals: Refusals): PostgresError {
	const last = [...refusals.values()].at(-1);
	if (!last) return new PostgresError(NONE_FREE);
	const message = [...refusals].map(([host, fault]) => `${host}: ${fault.message}`).join('; ');
	return new PostgresError(Object.assign(new Error(message), { code: last.code }));
}

/** Releases a client that arrives too late. */
async function orTooLate(connecting: Promise<pg.PoolClient>, giveUpAtMs: number): Promise<pg.PoolClient> {
	let isLate = false;
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(
			() => {
				isLate = true;
				reject(NONE_FREE);
			},
			Math.max(giveUpAtMs - performance.now(), 0),
		);
	});
	connecting.then(
		(client) => isLate && client.release(),
		() => {},
	);
	return Promise.race([connecting, late]).finally(() => clearTimeout(timer));
}

function leaseOf(client: pg.PoolClient, hosts: Hosts, giveUpAtMs: number): Lease {
	let isOver = false;
	let lastFault: PostgresError | undefined;
	// Recognised by its code, because the severity may be in any language.
	const onNotice = ({ code }: { code?: string | undefined }) => {
		if (code !== SUCCESSFUL_COMPLETION) lease.onWarning?.();
	};
	client.on('notice', onNotice);
	function give(back: (client: pg.PoolClient) => void): void {
		if (isOver) return;
		isOver = true;
		clearTimeout(tooLate);
		client.off('notice', onNotice);
		back(client);
	}
	let isHeldBack = false;
	/** Holds back what is sent until this turn of the event loop ends, so that the server is woken once for all of it. */
	function sendTogether(): void {
		if (isHeldBack) return;
		isHeldBack = true;
		const socket = socketOf(client);
		socket.cork();
		process.nextTick(() => {
			isHeldBack = false;
			socket.uncork();
		});
	}
	const lease: Lease = {
		onWarning: undefined,
		async query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Reply<Row>> {
			try {
				sendTogether();
				const { rows, command, rowCount } = await client.query<Row>(sql, values as unknown[]);
				return { rows, tag: command, count: rowCount ?? 0 };
			} catch (cause) {
				const fault = new PostgresError(cause, { isBegin: sql.startsWith('BEGIN') });
				// A pooler has connected us to a standby.
				if (fault.isStandby) hosts.distrust();
				// When a statement fails, the statements sent after it fail too. All of them report the first cause.
				if (fault.code !== IN_FAILED_TRANSACTION) lastFault = fault;
				throw lastFault ?? fault;
			}
		},
		release: () => give(() => client.release()),
		destroy: () => give(end),
		distrust: hosts.distrust,
		unlimit: () => clearTimeout(tooLate),
	};
	const tooLate = setTimeout(
		() => {
			lease.distrust();
			lease.destroy();
		},
		Math.max(giveUpAtMs - performance.now(), 0),
	);
	return lease;
}

function end(client: pg.PoolClient): void {
	cut(client);
	client.release(true);
}

/** Destroys the socket without a Terminate message: a server that hangs would not read it. */
function cut(client: pg.ClientBase): void {
	socketOf(client).destroy();
}

/** The driver's own socket, which is missing in its types. */
function socketOf(client: pg.ClientBase): Socket {
	return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

/** All our integers are safe integers. Constraints of the tables check it. */
function typeParser(oid: number, format?: 'text' | 'binary') {
	return oid === BIGINT ? Number : pg.types.getTypeParser(oid, format as 'text');
}
