import type { Deletion } from '../../../domain/account.ts';
import type { TermsChange } from '../../../domain/terms.ts';
import type { FoundRows, SharedStatement } from '../../statement.ts';
import { type AccountName, accountNames } from './account.ts';

/** The columns of a `TermsRow`, for both engines. */
export const TERMS_COLUMNS = `suspended_at_ms AS "suspendedAtMs", day_bytes AS "dayBytes", month_bytes AS "monthBytes",
	total_bytes AS "totalBytes", connections, bytes_per_second AS "bytesPerSecond", allowed_ips AS "allowedIps", expires_at_ms AS "expiresAtMs", note`;

/** The terms of an account as the store keeps them. */
export interface TermsRow {
	readonly suspendedAtMs: number | null;
	readonly dayBytes: number | null;
	readonly monthBytes: number | null;
	readonly totalBytes: number | null;
	readonly connections: number | null;
	readonly bytesPerSecond: number | null;
	/** Networks with spaces between. */
	readonly allowedIps: string | null;
	readonly expiresAtMs: number | null;
	readonly note: string | null;
}

export function termsOf({ suspendedAtMs, note, allowedIps, ...row }: TermsRow): TermsChange['terms'] {
	const { dayBytes, monthBytes, totalBytes, connections, bytesPerSecond, expiresAtMs } = row;
	const counts = { dayBytes, monthBytes, totalBytes, connections, bytesPerSecond };
	const limits = { ...counts, allowedIps: networksOf(allowedIps), expiresAtMs };
	return { suspendedAtMs, limits, note: note ?? '' };
}

export function networksOf(allowedIps: string | null): readonly string[] | null {
	return allowedIps === null ? null : allowedIps.split(' ');
}

/** The accounts are locked. */
export function settingTerms(changes: readonly TermsChange[]): readonly SharedStatement[] {
	return changes.map(setting);
}

/** The keys of the accounts go, and their names stay. The accounts are locked. */
export function deletingAccounts(deletions: readonly Deletion[]): readonly SharedStatement[] {
	return deletions.flatMap(deleting);
}

function setting({ reseller, username, terms }: TermsChange): SharedStatement {
	const { suspendedAtMs, limits, note } = terms;
	const { dayBytes, monthBytes, totalBytes, connections, bytesPerSecond, allowedIps, expiresAtMs } = limits;
	return {
		sql: `UPDATE accounts SET suspended_at_ms = $1, day_bytes = $2, month_bytes = $3, total_bytes = $4, connections = $5,
			bytes_per_second = $6, allowed_ips = $7, expires_at_ms = $8, note = $9 WHERE reseller = $10 AND username = $11`,
		values: [
			...[suspendedAtMs, dayBytes, monthBytes, totalBytes, connections, bytesPerSecond],
			...[allowedIps?.join(' ') ?? null, expiresAtMs, note === '' ? null : note, reseller, username],
		],
		rows: 1,
	};
}

function deleting({ reseller, username, deletedAtMs, requestId }: Deletion): readonly SharedStatement[] {
	return [
		{
			sql: `INSERT INTO deleted_accounts (reseller, username, created_at_ms, deleted_at_ms, request_id)
				SELECT reseller, username, created_at_ms, $1, $2 FROM accounts
				WHERE reseller = $3 AND username = $4 AND username <> reseller AND balance_cents = 0`,
			values: [deletedAtMs, requestId, reseller, username],
			rows: 1,
		},
		{ sql: 'DELETE FROM accounts WHERE reseller = $1 AND username = $2', values: [reseller, username], rows: 1 },
	];
}

/** Finds the terms of accounts. Sub-users without terms have a row too. */
export function findingTerms(names: readonly AccountName[]): readonly FoundRows[] {
	return [{ table: 'accounts', columns: `reseller, username, ${TERMS_COLUMNS}`, keys: accountNames(names) }];
}

/** Reads what `findingTerms` finds. */
export function termsFound(row: TermsRow & AccountName): TermsChange {
	return { reseller: row.reseller, username: row.username, terms: termsOf(row) };
}
