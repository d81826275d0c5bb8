import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { eventually } from '@bursar/testing/eventually';
import { inDatabase } from '@bursar/testing/postgres-books';
import type { PostgresInstallation } from '@bursar/testing/postgres-installation';
import { type PostgresServer, startPostgres } from '@bursar/testing/postgres-server';
import { type CopyData, startStandby } from './postgres-standby.ts';

/** A primary with a synchronous standby, on two ports that stay the same whichever of them is the primary. */
export interface PostgresPair {
	/** The one that is the primary now. */
	readonly primary: PostgresServer;
	/** Of a database, with both servers as its hosts. */
	url(database: string): string;
	/**
	 * The primary is killed, or falls silent on all its connections; after a while, the standby is promoted.
	 * From then on there is no standby.
	 */
	failOver(end: 'kill' | 'freeze', afterMs: number): Promise<void>;
	/** Puts a new standby in the place of the server that was killed, and waits until commits wait for it. */
	attachStandby(): Promise<void>;
}

const LIMIT_MS = 30_000;
const SYNCHRONOUS = { synchronous_standby_names: 'standby1' };

/** What the servers are run with, and how a standby is made. */
export interface PairOptions {
	readonly installation: PostgresInstallation;
	readonly copyData: CopyData;
}

/** Starts both. They end with the test. */
export async function startPair(test: TestContext, options: PairOptions): Promise<PostgresPair> {
	const { installation } = options;
	const servers = new Set<PostgresServer>();
	test.after(async () => {
		for (const server of servers) await server.remove();
	});
	let primary = await startPostgres({ installation });
	servers.add(primary);
	let standby = await startStandby(primary, options);
	servers.add(standby);
	let gone: PostgresServer | undefined;
	const ports = [primary.port, standby.port];

	async function awaitSynchronous(): Promise<void> {
		await primary.set(SYNCHRONOUS);
		await eventually(async () => {
			await inDatabase(primary.url(), async (client) => {
				const { rows } = await client.query("SELECT FROM pg_stat_replication WHERE sync_state = 'sync'");
				if (rows.length === 0) throw new Error('the standby is not synchronous');
			});
		}, LIMIT_MS);
	}
	await awaitSynchronous();

	return {
		get primary() {
			return primary;
		},
		url(database) {
			const { username, password } = new URL(primary.url());
			const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',');
			return `postgres://${username}:${password}@${hosts}/${database}?target_session_attrs=read-write`;
		},
		async failOver(end, afterMs) {
			gone = primary;
			await gone[end]();
			await setTimeout(afterMs);
			await standby.promote();
			primary = standby;
		},
		async attachStandby() {
			await gone?.remove();
			const port = ports.find((each) => each !== primary.port);
			standby = await startStandby(primary, { ...options, port });
			servers.add(standby);
			await awaitSynchronous();
		},
	};
}
