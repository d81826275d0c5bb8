import type { Reader } from '../../reading.ts';
import type { SharedStatement } from '../../statement.ts';
import { WEBHOOK_STATE, type WebhookState } from '../webhooks/state.ts';

export interface StateReads {
	/** The state of the store itself. Rejects with `StoreUnavailableError`. */
	readState(): Promise<StoreState>;
}

export interface StoreState {
	/** The number of the newest migration that was applied. */
	readonly schema: number;
	/** When the store was made, in Unix milliseconds. */
	readonly madeAtMs: number;
	/** The last verification of the ledger that was finished. */
	readonly verification: { readonly endedAtMs: number; readonly problems: number } | undefined;
	/** When `bursar backup` last made a backup, in Unix milliseconds; `undefined` if it never has. */
	readonly lastBackupAtMs: number | undefined;
	/** The origin of the dashboard of the service that was started last; `undefined` if none was started with it. */
	readonly publicUrl: string | undefined;
	/** How many resellers have a price. */
	readonly meteredResellers: number;
	readonly webhooks: WebhookState;
}

/**
 * `meta` has a value of the whole store in each row: `credentials_version`, `made_at_ms`, `master_key_check`, `usage_horizon_ms`,
 * `reading_days`, `stripe_swept_ms`, `btcpay_swept_ms`, `usage_hours_since_ms`, `public_url`, `mail`; on SQLite `last_backup_ms`, `write_check`, and `moved_at` and
 * `moved_to` of a store that was copied to PostgreSQL; on PostgreSQL `people_lock`.
 */
const STATE: SharedStatement = {
	sql: `SELECT (SELECT max(name) FROM migrations) AS migration,
			(SELECT value FROM meta WHERE name = 'made_at_ms') AS made,
			(SELECT value FROM meta WHERE name = 'last_backup_ms') AS "lastBackup",
			(SELECT value FROM meta WHERE name = 'public_url') AS "publicUrl",
			(SELECT count(micro_usd_per_gb) FROM current_prices) AS "meteredResellers",
			finished.ended_at_ms AS "endedAtMs", finished.result
		FROM (SELECT 1) AS always LEFT JOIN (
			SELECT ended_at_ms, result FROM verifications WHERE result IS NOT NULL ORDER BY ended_at_ms DESC LIMIT 1
		) AS finished ON true`,
	values: [],
};

interface StateRow {
	readonly migration: string;
	readonly made: string;
	readonly lastBackup: string | null;
	readonly publicUrl: string | null;
	readonly meteredResellers: number;
	readonly endedAtMs: number | null;
	readonly result: string | null;
}

export function stateReads({ read }: Pick<Reader, 'read'>): StateReads {
	return {
		async readState() {
			const [{ migration, made, lastBackup, publicUrl, meteredResellers, endedAtMs, result }] = (await read(STATE)) as [
				StateRow,
			];
			const [webhooks] = await read(WEBHOOK_STATE);
			return {
				schema: Number.parseInt(migration, 10),
				madeAtMs: Number(made),
				verification:
					endedAtMs === null ? undefined : { endedAtMs, problems: JSON.parse(result as string).problems as number },
				lastBackupAtMs: Number(lastBackup) || undefined,
				publicUrl: publicUrl || undefined,
				meteredResellers,
				webhooks: webhooks as WebhookState,
			};
		},
	};
}
