import type { UsageDay } from '../../domain/usage.ts';
import { type AccountName, type AccountRow, accountOf } from '../account-row.ts';
import { gatherReads } from '../gather.ts';
import type { KeySeal } from '../key-seal.ts';
import {
	type AccountReader,
	type CredentialReader,
	type StoredToken,
	StoreUnavailableError,
	type UsageReader,
} from '../store.ts';
import { STORED_TOKEN_COLUMNS } from '../token-row.ts';
import { beginReading, runAlone } from './beginning.ts';
import type { Connections } from './connections.ts';
import { faultKind } from './faults.ts';
import { LIMITS } from './limits.ts';
import { givenRows } from './rows.ts';

/**
 * For each kind of read, how many queries are under way at once, and how many reads share one. While they are, the
 * reads that come wait together: the busier it gets, the more of them share a query. What a query brings is put
 * together on the thread that talks to clients, so it is kept small.
 */
const ACCOUNTS = { atOnce: 2, most: 256 } as const;
const TOKENS = { atOnce: 1, most: 256 } as const;
const USAGE = { atOnce: 2, most: 16 } as const;
/** A page of sub-users. */
const LISTS = { atOnce: 2, most: 1 } as const;

/** As many as there can be queries, so that no kind of read waits for another. */
export const READ_CONNECTIONS = ACCOUNTS.atOnce + USAGE.atOnce + LISTS.atOnce;

type SubUserPage = Parameters<AccountReader['listSubUsers']>;
type UsageSpan = Parameters<UsageReader['listUsageDays']>;
/** Both begin with the reseller whose they are. */
const firstOf = ([reseller]: SubUserPage | UsageSpan) => reseller;

/** Reads one or more rows, in a statement of its own: what was committed before it began, it sees. */
export type Read = <Row extends object>(sql: string, values: readonly unknown[]) => Promise<readonly Row[]>;

export function postgresReads(read: Read, seal: KeySeal): AccountReader & UsageReader {
	const findAccount = gatherReads(
		(names: readonly AccountName[]) => findAccounts(read, names),
		(row) => row && accountOf(row, seal.open),
		{ ownerOf: ({ reseller }) => reseller, ...ACCOUNTS },
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
	return {
		findAccount: (reseller, username) => findAccount({ reseller, username }),
		listSubUsers: (...page) => listSubUsers(page),
		listUsageDays: (...span) => listUsageDays(span),
		async listResellers(after, limit) {
			const sql = `SELECT ${ACCOUNT_COLUMNS} FROM usernames JOIN accounts USING (reseller, username)
				WHERE usernames.username > $1 AND usernames.username = usernames.reseller ORDER BY usernames.username LIMIT $2`;
			return (await read<AccountRow>(sql, [after, limit])).map((row) => accountOf(row, seal.openOnce));
		},
	};
}

/** Whose a token is cannot be known before it is found, so each token has its own turns. */
export function tokenReads(read: Read): CredentialReader['findToken'] {
	return gatherReads(
		(hashes: readonly string[]) => findTokens(read, hashes),
		(token) => token,
		{ ownerOf: (hash) => hash, ...TOKENS },
	);
}

const ACCOUNT_COLUMNS = `reseller, username, balance_cents AS "balanceCents", sealed_auth_key AS "sealedAuthKey",
	created_at_ms AS "createdAtMs"`;

async function findAccounts(read: Read, names: readonly AccountName[]): Promise<(AccountRow | undefined)[]> {
	const { from, values } = givenRows([...names.entries()], {
		place: ['integer', ([place]) => place],
		reseller: ['text', ([, { reseller }]) => reseller],
		username: ['text', ([, { username }]) => username],
	});
	const rows = await read<AccountRow & { place: number }>(
		// One look-up by key for each, whatever the planner knows of the table.
		`SELECT place, account.* FROM ${from} CROSS JOIN LATERAL (
			SELECT ${ACCOUNT_COLUMNS} FROM accounts
			WHERE accounts.reseller = given.reseller AND accounts.username = given.username LIMIT 1) AS account`,
		values,
	);
	const found: (AccountRow | undefined)[] = Array(names.length);
	for (const { place, ...row } of rows) found[place] = row;
	return found;
}

function findSubUsers(read: Read, [reseller, after, limit]: SubUserPage): Promise<readonly AccountRow[]> {
	const sql = `SELECT ${ACCOUNT_COLUMNS} FROM accounts
		WHERE reseller = $1 AND username > $2 AND username <> reseller ORDER BY username LIMIT $3`;
	return read<AccountRow>(sql, [reseller, after, limit]);
}

async function findUsageDays(read: Read, wanted: readonly UsageSpan[]): Promise<readonly UsageDay[][]> {
	const { from, values } = givenRows([...wanted.entries()], {
		place: ['integer', ([place]) => place],
		reseller: ['text', ([, [reseller]]) => reseller],
		username: ['text', ([, [, username]]) => username],
		first_day: ['integer', ([, [, , firstDay]]) => firstDay],
		last_day: ['integer', ([, [, , , lastDay]]) => lastDay],
	});
	const rows = await read<UsageDay & { place: number }>(
		`SELECT place, used.* FROM ${from} CROSS JOIN LATERAL (
			SELECT reseller, username, day, bytes_up AS "bytesUp", bytes_down AS "bytesDown" FROM usage_days
			WHERE usage_days.reseller = given.reseller AND usage_days.username = given.username
			AND day BETWEEN given.first_day AND given.last_day ORDER BY day) AS used`,
		values,
	);
	const found: UsageDay[][] = wanted.map(() => []);
	for (const { place, ...day } of rows) found[place]?.push(day);
	return found;
}

async function findTokens(read: Read, hashes: readonly string[]): Promise<(StoredToken | undefined)[]> {
	const sql = `SELECT ${STORED_TOKEN_COLUMNS} FROM tokens WHERE hash = ANY($1)`;
	const tokens = new Map((await read<StoredToken>(sql, [hashes])).map((token) => [token.hash, token]));
	return hashes.map((hash) => tokens.get(hash));
}

const BEGIN = beginReading({ idleMs: LIMITS.idleMs });

/** Reads, and reads again where a connection was lost, in time. Rejects with `StoreUnavailableError`. */
export function readingFrom(connections: Connections): Read {
	return async <Row extends object>(sql: string, values: readonly unknown[]) => {
		const giveUpAt = performance.now() + LIMITS.readMs;
		for (;;) {
			try {
				return (await runAlone<Row>(connections, giveUpAt, { begin: BEGIN, sql, values, end: 'ROLLBACK' })).rows;
			} catch (cause) {
				if (faultKind(cause) === 'again' && performance.now() < giveUpAt) continue;
				throw new StoreUnavailableError('the database cannot be read', { cause });
			}
		}
	};
}
