import { setTimeout as delay } from 'node:timers/promises';
import type { Lease } from './connections.ts';

/** How long the server may still list connections that were just closed, in milliseconds. */
const LEAVING_LIMIT_MS = 2_000;
const RETRY_MS = 50;

/** Waits briefly. Returns whether no other process of the service, directly or through a pooler, is connected. */
export async function awaitNoOtherSessions(lease: Lease): Promise<boolean> {
	const giveUpAtMs = performance.now() + LEAVING_LIMIT_MS;
	while (await hasOtherSessions(lease)) {
		if (performance.now() > giveUpAtMs) return false;
		await delay(RETRY_MS);
	}
	return true;
}

async function hasOtherSessions(lease: Lease): Promise<boolean> {
	await lease.query('SELECT pg_stat_clear_snapshot()');
	const { rows } = await lease.query(
		`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
		 AND application_name = current_setting('application_name') LIMIT 1`,
	);
	return rows.length > 0;
}
