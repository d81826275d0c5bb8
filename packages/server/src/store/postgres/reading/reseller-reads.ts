import type { ChangeName, RecordedChange } from '../../../domain/recorded-change.ts';
import type { UsageDay } from '../../../domain/usage.ts';
import { gatherReads } from '../../gather.ts';
import type { KeySeal } from '../../secrets/key-seal.ts';
import { givenRows } from '../../statement.ts';
import {
	ACCOUNT_COLUMNS,
	type AccountName,
	type AccountRow,
	accountOf,
	type OwnedName,
} from '../../tables/accounts/account.ts';
import type { ResellerReads } from '../../tables/accounts/reads.ts';
import { findingChanges } from '../../tables/changes/changes.ts';
import { HAS_BYTES } from '../../tables/usage/corrections.ts';
import { finding, unnested } from '../rows.ts';
import type { Read } from './reading.ts';

/**
 * For each kind of read: how many queries run at once, and how many reads share one query. Reads that come meanwhile
 * wait together, so the busier the service gets, the more reads share a query. The thread that talks to clients
 * processes the rows, so a query is kept small.
 */
const ACCOUNTS = { atOnce: 2, most: 256 } as const;
const USAGE = { atOnce: 2, most: 16 } as const;
const CHANGES = { atOnce: 1, most: 64 } as const;
/** A page of sub-users. */
const LISTS = { atOnce: 2, most: 1 } as const;

/** One for each query that can run at once, so that no kind of read waits for another. */
export const READ_CONNECTIONS = ACCOUNTS.atOnce + USAGE.atOnce + CHANGES.atOnce + LISTS.atOnce;

type SubUserPage = Parameters<ResellerReads['listSubUsers']>;
type UsageSpan = Parameters<ResellerReads['listUsageDays']>;
/** The reseller is the first part of both. */
const firstOf = ([reseller]: SubUserPage | UsageSpan) => reseller;

export function postgresResellerReads(read: Read, seal: KeySeal): ResellerReads {
	const findAccount = gatherReads(
		(names: readonly OwnedName[]) => findAccounts(read, names),
		(row) => row && accountOf(row, seal.open),
		{ ownerOf: ({ owner }) => owner, ...ACCOUNTS },
	);
	const listUsageDays = gatherReads(
		(wanted: readonly UsageSpan[]) => findUsageDays(read, wanted),
		(days) => days,
		{ ownerOf: firstOf, ...USAGE },
	);
	const listSubUsers = gatherReads(
		(pages: readonly SubUserPage[]) => Promise.all(pages.map((page) => findSubUsers(read, page))),
		(rows) => rows.map((row) => accountOf(row, seal.openOnce)),
		{ ownerOf: firstOf, ...LISTS },
	);
	const findChange = gatherReads(
		(names: readonly ChangeName[]) => findChanges(read, names),
		(change) => change,
		{ ownerOf: ({ reseller }) => reseller, ...CHANGES },
	);
	return {
		findAccount: (reseller, username, owner = reseller) => findAccount({ reseller, username, owner }),
		listSubUsers: (...page) => listSubUsers(page),
		listUsageDays: (...span) => listUsageDays(span),
		findChange: (reseller, id) => findChange({ reseller, id }),
	};
}

async function findAccounts(read: Read, names: readonly AccountName[]): Promise<(AccountRow | undefined)[]> {
	const { from, values } = unnested(
		givenRows([...names.entries()], {
			place: ['integer', ([place]) => place],
			reseller: ['text', ([, { reseller }]) => reseller],
			username: ['text', ([, { username }]) => username],
		}),
	);
	const rows = await read<AccountRow & { place: number }>(
		// One look-up by key for each name, whatever the planner knows about the table.
		`SELECT place, account.* FROM ${from} CROSS JOIN LATERAL (
			SELECT ${ACCOUNT_COLUMNS} FROM live_accounts AS found
			WHERE found.reseller = given.reseller AND found.username = given.username LIMIT 1) AS account`,
		values,
	);
	const found: (AccountRow | undefined)[] = Array(names.length);
	for (const { place, ...row } of rows) found[place] = row;
	return found;
}

function findSubUsers(read: Read, [reseller, after, limit]: SubUserPage): Promise<readonly AccountRow[]> {
	const sql = `SELECT ${ACCOUNT_COLUMNS} FROM live_accounts
		WHERE reseller = $1 AND username > $2 AND username <> reseller ORDER BY username LIMIT $3`;
	return read<AccountRow>(sql, [reseller, after, limit]);
}

async function findUsageDays(read: Read, wanted: readonly UsageSpan[]): Promise<readonly UsageDay[][]> {
	const { from, values } = unnested(
		givenRows([...wanted.entries()], {
			place: ['integer', ([place]) => place],
			reseller: ['text', ([, [reseller]]) => reseller],
			username: ['text', ([, [, username]]) => username],
			first_day: ['integer', ([, [, , firstDay]]) => firstDay],
			last_day: ['integer', ([, [, , , lastDay]]) => lastDay],
		}),
	);
	const rows = await read<UsageDay & { place: number }>(
		`SELECT place, used.* FROM ${from} CROSS JOIN LATERAL (
			SELECT reseller, username, day, bytes_up AS "bytesUp", bytes_down AS "bytesDown" FROM usage_days
			WHERE usage_days.reseller = given.reseller AND usage_days.username = given.username
			AND day BETWEEN given.first_day AND given.last_day AND ${HAS_BYTES} ORDER BY day) AS used`,
		values,
	);
	const found: UsageDay[][] = wanted.map(() => []);
	for (const { place, ...day } of rows) found[place]?.push(day);
	return found;
}

async function findChanges(read: Read, names: readonly ChangeName[]): Promise<(RecordedChange | undefined)[]> {
	const { sql, values } = finding(findingChanges(names));
	const rows = await read<RecordedChange>(sql, values);
	const found = new Map(rows.map((row) => [nameOf(row), row]));
	return names.map((name) => found.get(nameOf(name)));
}

/** A username cannot contain a slash. */
function nameOf({ reseller, id }: ChangeName): string {
	return `${reseller}/${id}`;
}
