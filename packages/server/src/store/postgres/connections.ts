import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { PostgresError } from './faults.ts';
import type { Hosts } from './hosts.ts';

/** A statement's answer: its rows, and the tag that tells what was done (`COMMIT`, `ROLLBACK`). */
export interface Reply<Row> {
	readonly rows: readonly Row[];
	readonly tag: string;
	/** How many rows it wrote. */
	readonly count: number;
}

/** A connection to the primary, for as long as somebody has it. */
export interface Lease {
	/** Rejects with `PostgresError`. What is sent without waiting goes out together, and is run in order. */
	query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Reply<Row>>;
	/** Gives the connection back. */
	release(): void;
	/** Ends the connection: whatever it was doing, the server ends it too. Does nothing where it was given back. */
	destroy(): void;
	/** It does not answer: from now on, connections are opened anew. */
	distrust(): void;
	/** What it is doing may take as long as it takes. */
	unlimit(): void;
	/** Called for each warning of the server. */
	onWarning: (() => void) | undefined;
}

/** Runs statements of a transaction; each rejects if the transaction did not begin. */
export type Query = Lease['query'];

export interface Connections {
	/**
	 * Waits for a connection to the primary, until `giveUpAt` (monotonic milliseconds), and destroys it then
	 * if it has not been given back or allowed more time. Rejects with `PostgresError`.
	 */
	acquire(giveUpAt: number): Promise<Lease>;
	close(): Promise<void>;
}

/** How long a host has to take a connection, in milliseconds, before the next one is tried. */
const CONNECT_LIMIT_MS = 1_000;
const RETRY_MS = 50;
const KEEP_ALIVE_MS = 10_000;
/** Shorter than what common proxies allow a connection to be idle. */
const IDLE_LIMIT_MS = 30_000;

/** The pool's hook for a new connection; its types do not know it. */
type VerifyHook = (client: pg.Client, done: (error?: Error) => void) => void;

const IS_STANDBY = 'SELECT pg_catalog.pg_is_in_recovery() AS standby';
const BIGINT = 20;
const SUCCESSFUL_COMPLETION = '00000';
const IN_FAILED_TRANSACTION = '25P02';
const NONE_FREE = new Error('no connection became free in time');

/** At most `max` connections, opened as they are needed, each to the host that is the primary then. */
export function openConnections(hosts: Hosts, { max }: { readonly max: number }): Connections {
	const generations = new WeakMap<pg.ClientBase, number>();
	class PrimaryClient extends pg.Client {
		constructor(options: pg.ClientConfig = {}) {
			// The limit is the client's own: the pool's would lose clients that become ready just behind it.
			super({ ...options, connectionString: hosts.current(), connectionTimeoutMillis: CONNECT_LIMIT_MS });
			generations.set(this, hosts.generation);
		}

		/** As the pool calls it. Where signing in fails, the connection would stay open, and take a place on the server. */
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
		// A new connection is of use where it leads to a primary. Defaults that make it read-only do not matter to us.
		verify(client, done) {
			const timer = setTimeout(() => cut(client), CONNECT_LIMIT_MS);
			client
				.query(IS_STANDBY)
				.finally(() => clearTimeout(timer))
				.then(
					({ rows: [row] }) =>
						done(row.standby ? new Error('the server takes no writes: it is a standby, and no primary') : undefined),
					done,
				);
		},
	};
	const pool = new pg.Pool(options);
	// A connection that is lost while nobody uses it is replaced when somebody does; one in use tells its user.
	pool.on('error', () => {});
	pool.on('connect', (client) => client.on('error', () => {}));

	async function acquire(giveUpAt: number): Promise<Lease> {
		let lastCause: unknown = NONE_FREE;
		for (;;) {
			const tried = hosts.current();
			try {
				const client = await orTooLate(pool.connect(), giveUpAt);
				if (generations.get(client) === hosts.generation) return leaseOf(client, hosts, giveUpAt);
				end(client);
			} catch (cause) {
				if (cause !== NONE_FREE) {
					hosts.failed(tried);
					lastCause = cause;
				}
				const fault = new PostgresError(lastCause);
				if (isTurnedAway(fault) || performance.now() + RETRY_MS > giveUpAt) throw fault;
				await delay(RETRY_MS);
			}
		}
	}

	return { acquire, close: () => pool.end() };
}

/** A wrong or missing password, or a wrong database, will not get right by waiting, nor on another host. */
function isTurnedAway({ code, message }: PostgresError): boolean {
	return /^(28|3D)/.test(code) || message.startsWith('SASL');
}

/** What comes too late is given back. */
async function orTooLate(connecting: Promise<pg.PoolClient>, giveUpAt: number): Promise<pg.PoolClient> {
	let isLate = false;
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(
			() => {
				isLate = true;
				reject(NONE_FREE);
			},
			Math.max(giveUpAt - performance.now(), 0),
		);
	});
	connecting.then(
		(client) => isLate && client.release(),
		() => {},
	);
	return Promise.race([connecting, late]).finally(() => clearTimeout(timer));
}

function leaseOf(client: pg.PoolClient, hosts: Hosts, giveUpAt: number): Lease {
	let isOver = false;
	let lastFault: PostgresError | undefined;
	// By its code: its severity may be in any language.
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
	const lease: Lease = {
		onWarning: undefined,
		async query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Reply<Row>> {
			try {
				const { rows, command, rowCount } = await client.query<Row>(sql, values as unknown[]);
				return { rows, tag: command, count: rowCount ?? 0 };
			} catch (cause) {
				const fault = new PostgresError(cause);
				// A pooler has been led to a standby.
				if (fault.isStandby) hosts.distrust();
				// Statements that were sent together all fail with the first of them: its cause is theirs.
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
		Math.max(giveUpAt - performance.now(), 0),
	);
	return lease;
}

function end(client: pg.PoolClient): void {
	cut(client);
	client.release(true);
}

/** At once, and without a word: a server that does not answer would not hear it. */
function cut(client: pg.ClientBase): void {
	(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

/** All our whole numbers are safe integers: the tables check it. */
function typeParser(oid: number, format?: 'text' | 'binary') {
	return oid === BIGINT ? Number : pg.types.getTypeParser(oid, format as 'text');
}
