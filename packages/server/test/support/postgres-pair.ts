import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { eventually } from '@bursar/testing/eventually';
import { inDatabase } from '@bursar/testing/postgres-books';
import type { PostgresInstallation } from '@bursar/testing/postgres-installation';
import { type PostgresServer, startPostgres } from '@bursar/testing/postgres-server';
import { type CopyData, startStandby } from './postgres-standby.ts';

/** A primary with a synchronous standby. A failover does not change their two ports. */
export interface PostgresPair {
	/** The present primary. */
	readonly primary: PostgresServer;
	/** The URL of a database, with both servers as hosts. */
	url(database: string): string;
	/** Kills or freezes the primary, waits, and promotes the standby. The pair then has no standby. */
	failOver(end: 'kill' | 'freeze', afterMs: number): Promise<void>;
	/** Replaces the dead server by a new standby, and waits until the standby is synchronous. */
	attachStandby(): Promise<void>;
}

const LIMIT_MS = 30_000;
const SYNCHRONOUS = { synchronous_standby_names: 'standby1' };

/** Which PostgreSQL the servers run, and how to make a standby. */
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
