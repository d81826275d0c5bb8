import type { Role } from '@bursar/contract/dashboard';
import type { SharedStatement } from '../../statement.ts';

/** The reads of the operator's commands and metrics. */
export interface OperatorReads {
	/** The state of the store itself. Rejects with `StoreUnavailableError`. */
	readState(): Promise<StoreState>;
	/**
	 * Recomputes every balance from the ledger, and checks whose people are, in one snapshot. Changes nothing. Neither
	 * writers nor other reads wait for it. `onProgress` is called when a step begins, and at the end.
	 */
	verifyLedger(onProgress?: (done: number, steps: number) => void): Promise<LedgerVerification>;
}

export interface StoreState {
	/** The number of the newest migration that was applied. */
	readonly schema: number;
	/** The last verification of the ledger that was finished. */
	readonly verification: { readonly endedAtMs: number; readonly problems: number } | undefined;
	/** When `bursar backup` last made a backup, in Unix milliseconds; `undefined` if it never has. */
	readonly lastBackupAtMs: number | undefined;
	/** The origin of the dashboard of the service that was started last; `undefined` if none was started with it. */
	readonly publicUrl: string | undefined;
	/** How many resellers have a price. */
	readonly meteredResellers: number;
}

export interface PeopleQuery {
	/** The beginning of the address. Absent: any. */
	readonly search?: string | undefined;
	/** Absent: operators and the people of resellers. */
	readonly of?: 'operators' | 'resellers' | undefined;
	/** The address before the page; `undefined` for the first one. */
	readonly after?: string | undefined;
	readonly descends?: boolean | undefined;
	readonly limit: number;
}

export interface ListedPerson {
	readonly email: string;
	/** `null` for an operator. */
	readonly reseller: string | null;
	/** `null` for an operator. */
	readonly role: Role | null;
	readonly state: 'invited' | 'active' | 'locked';
	readonly secondFactor: boolean;
	/** How many sessions are live. */
	readonly sessions: number;
	/** Unix milliseconds; `null` if the person has no live session. */
	readonly lastSeenAtMs: number | null;
}

export interface LedgerVerification {
	readonly accounts: number;
	readonly transfers: number;
	readonly problems: readonly LedgerProblem[];
}

/** An account, a reseller or a person that breaks a rule of the ledger. */
export interface LedgerProblem {
	/** A username, the e-mail address of a person, or the id of a person that does not exist. */
	readonly name: string;
	readonly problem: string;
}

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
