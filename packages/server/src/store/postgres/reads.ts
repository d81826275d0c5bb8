import type { Token } from '../../domain/token.ts';
import type { UsageDay } from '../../domain/usage.ts';
import { type AccountName, type AccountRow, accountOf } from '../account-row.ts';
import { gatherReads } from '../gather.ts';
import type { KeySeal } from '../key-seal.ts';
import { type AccountReader, type CredentialReader, StoreUnavailableError, type UsageReader } from '../store.ts';
import type { Connections, Reply } from './connections.ts';
import { faultKind } from './faults.ts';
import { LIMITS } from './limits.ts';
import { givenRows } from './rows.ts';

/**
 * How many gathered queries are under way at once. While they are, the reads that come wait together:
 * the busier it gets, the more of them share a query.
 */
const GATHERED_AT_ONCE = 2;

/** Reads one or more rows, in a statement of its own: what was committed before it began, it sees. */
export type Read = <Row extends object>(sql: string, values: readonly unknown[]) => Promise<readonly Row[]>;

export function postgresReads(
	read: Read,
	seal: KeySeal,
): AccountReader & UsageReader & Pick<CredentialReader, 'findToken'> {
	const findAccount = gatherReads(
		(names: readonly AccountName[]) => findAccounts(read, names),
		(row) => row && accountOf(row, seal.open),
		GATHERED_AT_ONCE,
	);
	const findToken = gatherReads(
		(hashes: readonly string[]) => findTokens(read, hashes),
		(token) => token,
		GATHERED_AT_ONCE,
	);
	const listed = (rows: readonly AccountRow[]) => rows.map((row) => accountOf(row, seal.openOnce));
	return {
		findAccount: (reseller, username) => findAccount({ reseller, username }),
		findToken,
		async listSubUsers(reseller, after, limit) {
			const sql = `SELECT ${ACCOUNT_COLUMNS} FROM accounts
				WHERE reseller = $1 AND username > $2 AND username <> reseller ORDER BY username LIMIT $3`;
			return listed(await read<AccountRow>(sql, [reseller, after, limit]));
		},
		async listResellers(after, limit) {
			const sql = `SELECT ${ACCOUNT_COLUMNS} FROM usernames JOIN accounts USING (reseller, username)
				WHERE usernames.username > $1 AND usernames.username = usernames.reseller ORDER BY usernames.username LIMIT $2`;
			return listed(await read<AccountRow>(sql, [after, limit]));
		},
		listUsageDays(reseller, username, firstDay, lastDay) {
			const sql = `SELECT reseller, username, day, bytes_up AS "bytesUp", bytes_down AS "bytesDown" FROM usage_days
				WHERE reseller = $1 AND username = $2 AND day BETWEEN $3 AND $4 ORDER BY day`;
			return read<UsageDay>(sql, [reseller, username, firstDay, lastDay]);
		},
	};
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

async function findTokens(read: Read, hashes: readonly string[]): Promise<(Token | undefined)[]> {
	const sql = 'SELECT hash, reseller, expires_at_ms AS "expiresAtMs" FROM tokens WHERE hash = ANY($1)';
	const tokens = new Map((await read<Token>(sql, [hashes])).map((token) => [token.hash, token]));
	return hashes.map((hash) => tokens.get(hash));
}

/** Reads, and reads again where a connection was lost, in time. Rejects with `StoreUnavailableError`. */
export function readingFrom(connections: Connections): Read {
	async function attempt<Row extends object>(
		sql: string,
		values: readonly unknown[],
		giveUpAt: number,
	): Promise<Reply<Row>> {
		const lease = await connections.acquire(giveUpAt);
		try {
			const reply = await lease.query<Row>(sql, values);
			lease.release();
			return reply;
		} catch (cause) {
			lease.destroy();
			throw cause;
		}
	}
	return async <Row extends object>(sql: string, values: readonly unknown[]) => {
		const giveUpAt = performance.now() + LIMITS.readMs;
		for (;;) {
			try {
				return (await attempt<Row>(sql, values, giveUpAt)).rows;
			} catch (cause) {
				if (faultKind(cause) === 'again' && performance.now() < giveUpAt) continue;
				throw new StoreUnavailableError('the database cannot be read', { cause });
			}
		}
	};
}
