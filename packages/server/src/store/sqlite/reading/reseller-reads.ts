import type { ChangeName, RecordedChange } from '../../../domain/recorded-change.ts';
import type { UsageDay } from '../../../domain/usage.ts';
import { gatherReads } from '../../gather.ts';
import type { KeySeal } from '../../secrets/key-seal.ts';
import {
	ACCOUNT_COLUMNS,
	type AccountName,
	type AccountRow,
	accountOf,
	type OwnedName,
} from '../../tables/accounts/account.ts';
import type { ResellerReads } from '../../tables/accounts/reads.ts';
import { WHOLE_CHANGE } from '../../tables/changes/changes.ts';
import { HAS_BYTES } from '../../tables/usage/corrections.ts';
import type { Connection } from '../database/connection.ts';
import { orUnavailable } from './reading.ts';

/**
 * How much is read in one turn of the event loop: one or two milliseconds of each kind, so that other work does not
 * wait longer, however many reads there are.
 */
const ACCOUNTS_IN_A_TURN = 256;
const CHANGES_IN_A_TURN = 256;
const USAGE_IN_A_TURN = 16;
const PAGES_IN_A_TURN = 1;

type SubUserPage = Parameters<ResellerReads['listSubUsers']>;
type UsageSpan = Parameters<ResellerReads['listUsageDays']>;
/** The reseller is the first part of both. */
const firstOf = ([reseller]: SubUserPage | UsageSpan) => reseller;

/** Each read is one short query on the calling thread. It takes microseconds, and no writer waits for it. */
export function sqliteResellerReads(connection: Connection, seal: KeySeal): ResellerReads {
	const findAccount = gatherReads(
		orUnavailable<[readonly OwnedName[]], (AccountRow | undefined)[]>(prepareFindRows(connection)),
		(row) => row && accountOf(row, seal.open),
		// A reseller's own account is asked for often, and its name stands for nothing else. To compare the names of
		// sub-users would cost more than it saves.
		{
			ownerOf: ({ owner }) => owner,
			nameOf: ({ reseller, username }) => (username === reseller ? username : undefined),
			most: ACCOUNTS_IN_A_TURN,
		},
	);
	const subUsers = connection.prepare<[string, string, number], AccountRow>(
		`SELECT ${ACCOUNT_COLUMNS} FROM live_accounts
		 WHERE reseller = ? AND username > ? AND username <> reseller ORDER BY username LIMIT ?`,
	);
	const usageDays = connection.prepare<[string, string, number, number], UsageDay>(
		`SELECT reseller, username, day, bytes_up AS bytesUp, bytes_down AS bytesDown FROM usage_days
		 WHERE reseller = ? AND username = ? AND day BETWEEN ? AND ? AND ${HAS_BYTES} ORDER BY day`,
	);
	const listSubUsers = gatherReads(
		orUnavailable((pages: readonly SubUserPage[]) => pages.map((page) => subUsers.all(...page))),
		(rows) => rows.map((row) => accountOf(row, seal.openOnce)),
		{ ownerOf: firstOf, most: PAGES_IN_A_TURN },
	);
	const listUsageDays = gatherReads(
		orUnavailable((spans: readonly UsageSpan[]) => spans.map((span) => usageDays.all(...span))),
		(days) => days,
		{ ownerOf: firstOf, most: USAGE_IN_A_TURN },
	);
	const change = connection.prepare<[string, string], RecordedChange>(
		`SELECT ${WHOLE_CHANGE} FROM changes WHERE reseller = ? AND change_id = ?`,
	);
	const findChange = gatherReads(
		orUnavailable((names: readonly ChangeName[]) => names.map(({ reseller, id }) => change.get(reseller, id))),
		(row) => row,
		{ ownerOf: ({ reseller }) => reseller, most: CHANGES_IN_A_TURN },
	);
	return {
		findAccount: (reseller, username, owner = reseller) => findAccount({ reseller, username, owner }),
		listSubUsers: (...page) => listSubUsers(page),
		listUsageDays: (...span) => listUsageDays(span),
		findChange: (reseller, id) => findChange({ reseller, id }),
	};
}

/** Reads many rows in one transaction, because to take and release a snapshot costs more than a read. */
function prepareFindRows(connection: Connection) {
	// Raw, because SQLite would make each name of a row object anew.
	const find = connection
		.prepare<[string, string], [number, string, number]>(
			'SELECT balance_cents, sealed_auth_key, created_at_ms FROM live_accounts WHERE reseller = ? AND username = ?',
		)
		.raw();
	const begin = connection.prepare('BEGIN');
	const end = connection.prepare('COMMIT');

	function findRow({ reseller, username }: AccountName): AccountRow | undefined {
		const row = find.get(reseller, username);
		if (!row) return undefined;
		const [balanceCents, sealedAuthKey, createdAtMs] = row;
		return { reseller, username, balanceCents, sealedAuthKey, createdAtMs };
	}

	return (names: readonly AccountName[]): (AccountRow | undefined)[] => {
		begin.run();
		try {
			return names.map(findRow);
		} finally {
			if (connection.inTransaction) end.run();
		}
	};
}
