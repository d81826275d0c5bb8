import { setTimeout as delay } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';
import type { DatabaseState } from '../../store/store.ts';
import type { StoreState } from '../../store/tables/meta/state.ts';

/** Figures of the store. */
export interface StoreFigures {
	readonly engine: 'sqlite' | 'postgresql';
	/** May reject or take long: then the metrics that it has are left out. */
	readonly readState: () => Promise<StoreState>;
	/** Only on PostgreSQL. */
	readonly databaseState?: (() => DatabaseState) | undefined;
}

/**
 * A scraper waits for ten seconds at most, or less. What else is known must not come too late because of the store.
 * @bound The store is read for a scrape: then only its metrics are left out.
 */
const READ_LIMIT_MS = 1_000;

/** Adds the metrics of the store. The function that it returns reads them, and never rejects. */
export function addStoreMetrics(registry: Registry, { readState, databaseState }: StoreFigures): () => Promise<void> {
	const gauge = (name: string, help: string) => new Gauge({ name, help, labelNames: [], registers: [registry] });
	const schemaVersion = gauge(
		'bursar_store_schema_version',
		'The number of the newest migration that was applied to the store.',
	);
	const verifiedAt = gauge(
		'bursar_ledger_verified_timestamp_seconds',
		'When the last verification of the ledger that was finished ended, in Unix seconds.',
	);
	const problems = gauge('bursar_ledger_problems', 'How many problems that verification has found.');
	const backupAt = gauge(
		'bursar_backup_timestamp_seconds',
		'When bursar backup has last made a backup, in Unix seconds. Only of embedded stores.',
	);
	const metered = gauge('bursar_metered_resellers', 'Resellers that have a price for bandwidth.');
	const webhooks = new Gauge({
		name: 'bursar_webhooks',
		help: 'Webhooks of resellers: on, failing, switched off by the reseller, off because the store is a copy, or off because it could not go on.',
		labelNames: ['state'],
		registers: [registry],
	});
	const eventsBehind = gauge(
		'bursar_webhook_events_behind',
		'Events that the webhooks that are on have not reached, all together.',
	);
	const mostEventsBehind = gauge(
		'bursar_webhook_most_events_behind',
		'Events that one webhook has not reached: the most of any that is on.',
	);
	if (databaseState) addDatabaseMetrics(registry, databaseState);

	return async () => {
		const state = await readForScrape<Partial<StoreState>>(readState, {});
		const { schema, verification, lastBackupAtMs, meteredResellers, webhooks: figures } = state;
		setOrRemove(schemaVersion, schema);
		setOrRemove(verifiedAt, verification && verification.endedAtMs / 1000);
		setOrRemove(problems, verification?.problems);
		setOrRemove(backupAt, lastBackupAtMs && lastBackupAtMs / 1000);
		setOrRemove(metered, meteredResellers);
		setOrRemove(eventsBehind, figures?.eventsBehind);
		setOrRemove(mostEventsBehind, figures?.mostEventsBehind);
		webhooks.reset();
		if (!figures) return;
		webhooks.set({ state: 'on' }, figures.on);
		webhooks.set({ state: 'failing' }, figures.failing);
		webhooks.set({ state: 'switched_off' }, figures.switchedOff);
		webhooks.set({ state: 'copied' }, figures.copied);
		webhooks.set({ state: 'off' }, figures.off);
	};
}

/** `otherwise` if the store cannot be asked, or does not answer in time. */
export async function readForScrape<Value>(read: () => Promise<Value>, otherwise: Value): Promise<Value> {
	const late = delay(READ_LIMIT_MS, otherwise, { ref: false });
	return Promise.race([read().catch(() => otherwise), late]);
}

/** A value that is not known is left out: any number would look like an answer. */
function setOrRemove(gauge: Gauge, value: number | undefined): void {
	if (value === undefined) gauge.remove();
	else gauge.set(value);
}

/** Hosts are those of the URL in the configuration. */
function addDatabaseMetrics(registry: Registry, databaseState: () => DatabaseState): void {
	const registers = [registry];
	new Gauge({
		name: 'bursar_database_primary',
		help: '1 for the host of the database that is taken for the primary, 0 for the others.',
		labelNames: ['host'],
		registers,
		collect() {
			const { hosts, primary } = databaseState();
			for (const host of hosts) this.set({ host }, host === primary ? 1 : 0);
		},
	});
	new Gauge({
		name: 'bursar_database_connections',
		help: 'Connections to the database, by pool and state. Those that are `free` could still be opened.',
		labelNames: ['pool', 'state'],
		registers,
		collect() {
			for (const { pool, used, idle, free } of databaseState().pools) {
				for (const [state, count] of Object.entries({ used, idle, free })) this.set({ pool, state }, count);
			}
		},
	});
	new Gauge({
		name: 'bursar_database_connection_waiters',
		help: 'What waits for a connection to the database, by pool.',
		labelNames: ['pool'],
		registers,
		collect() {
			for (const { pool, waiting } of databaseState().pools) this.set({ pool }, waiting);
		},
	});
}
