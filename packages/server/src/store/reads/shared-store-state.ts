import type { SharedStatement } from '../people/person-rows.ts';
import type { OperatorReads } from './operator-reads.ts';

const STATE: SharedStatement = {
	sql: `SELECT (SELECT max(name) FROM migrations) AS migration,
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
	readonly lastBackup: string | null;
	readonly publicUrl: string | null;
	readonly meteredResellers: number;
	readonly endedAtMs: number | null;
	readonly result: string | null;
}

/** The read of the state of the store, for any engine. */
export function readState(
	read: (statement: SharedStatement) => Promise<readonly object[]>,
): OperatorReads['readState'] {
	return async () => {
		const [{ migration, lastBackup, publicUrl, meteredResellers, endedAtMs, result }] = (await read(STATE)) as [
			StateRow,
		];
		return {
			schema: Number.parseInt(migration, 10),
			verification:
				endedAtMs === null ? undefined : { endedAtMs, problems: JSON.parse(result as string).problems as number },
			lastBackupAtMs: Number(lastBackup) || undefined,
			publicUrl: publicUrl || undefined,
			meteredResellers,
		};
	};
}
