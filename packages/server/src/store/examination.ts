import { page } from '@bursar/terminal';
import { type AppliedMigration, compareSchema } from './migrations.ts';
import type { Reader } from './reading.ts';
import { createKeySeal } from './secrets/key-seal.ts';
import { isSealedUnder } from './secrets/master-key.ts';
import type { SharedStatement } from './statement.ts';
import { type StoreState, stateReads } from './tables/meta/state.ts';

const UPGRADE = page('docs/operating/upgrade.md');

/** What a look at one part of an installation found, in plain words. */
export interface Finding {
	readonly state: 'ok' | 'warning' | 'problem' | 'skipped';
	readonly text: string;
	/** What helps. */
	readonly remedy?: string;
}

/** What a look at a store found. It has changed nothing. */
export interface StoreExamination {
	readonly store: readonly Finding[];
	readonly masterKey: readonly Finding[];
	/** The seal of the store. Absent if the configured key does not open it. */
	readonly deriveKey?: (purpose: string) => Uint8Array;
	/** Absent if the tables of this version could not be read. */
	readonly state?: StoreState;
	/** When the newest movement of money or act was written, in Unix milliseconds. */
	readonly newestEntryAtMs?: number | undefined;
	/** By how much the clock of the database is ahead of this machine's. Absent if they are the same. */
	readonly clockAheadMs?: number;
	/** The process that serves an embedded store, as it calls itself; `undefined` if none does. */
	readonly servedBy?: string | undefined;
}

const NEWEST_ENTRIES: SharedStatement = {
	// Only the movements of one reseller have an order.
	sql: `WITH RECURSIVE found (name) AS (
			SELECT min(reseller) FROM transfers
			UNION ALL
			SELECT (SELECT min(reseller) FROM transfers WHERE reseller > found.name) FROM found WHERE name IS NOT NULL)
		SELECT (SELECT max((SELECT at_ms FROM transfers WHERE reseller = name ORDER BY id DESC LIMIT 1)) FROM found)
			AS "transferAtMs",
		(SELECT at_ms FROM acts ORDER BY number DESC LIMIT 1) AS "actAtMs"`,
	values: [],
};

/** Reads what another schema may lack, on any engine. */
export async function examineEntries(
	reader: Pick<Reader, 'read'>,
): Promise<Pick<StoreExamination, 'state' | 'newestEntryAtMs'>> {
	const [newest] = (await reader.read(NEWEST_ENTRIES)) as [Readonly<Record<'transferAtMs' | 'actAtMs', number | null>>];
	return {
		state: await stateReads(reader).readState(),
		newestEntryAtMs: Math.max(newest.transferAtMs ?? 0, newest.actAtMs ?? 0) || undefined,
	};
}

/** Whether this version knows exactly the migrations of a store. */
export function schemaFinding(folder: string, applied: readonly AppliedMigration[]): Finding {
	const { missing, newer } = compareSchema(folder, applied);
	const names = newer.map(({ name }) => name).join(', ');
	if (newer.some(({ breaking }) => breaking)) {
		return {
			state: 'problem',
			text: `A newer version of Bursar has migrated the store (${names}), and this version cannot use it.`,
			remedy: `Run that version, or restore a backup: ${UPGRADE}`,
		};
	}
	if (newer.length > 0) {
		return {
			state: 'warning',
			text: `A newer version of Bursar has migrated the store (${names}). This version can still use it.`,
			remedy: `Replace this version soon: ${UPGRADE}`,
		};
	}
	if (missing.length > 0) {
		return {
			state: 'warning',
			text: `The store is older than this version: it lacks ${missing.join(', ')}.`,
			remedy: `Make a backup. The next start of the service migrates the store: ${UPGRADE}`,
		};
	}
	return { state: 'ok', text: 'The tables of the store are those of this version.' };
}

/** Whether the key opens the store with this check value, and the seal if it does. */
export function examineMasterKey(
	masterKey: Uint8Array,
	check: string | undefined,
): Pick<StoreExamination, 'masterKey' | 'deriveKey'> {
	if (check === undefined) {
		return { masterKey: [{ state: 'skipped', text: 'The store was not begun yet, so no master key belongs to it.' }] };
	}
	if (!isSealedUnder(masterKey, check)) {
		const text = 'This is not the master key of the store: its secrets were sealed under another one.';
		return {
			masterKey: [
				{ state: 'problem', text, remedy: `Find the store's own key: ${page('docs/operating/master-key.md')}` },
			],
		};
	}
	const { deriveKey } = createKeySeal(masterKey);
	return { masterKey: [{ state: 'ok', text: 'The master key opens the store.' }], deriveKey };
}
