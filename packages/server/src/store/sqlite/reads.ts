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
import type { Connection } from './connection.ts';
import { isMachineFault } from './transaction.ts';

const ACCOUNT_COLUMNS =
	'reseller, username, balance_cents AS balanceCents, sealed_auth_key AS sealedAuthKey, created_at_ms AS createdAtMs';

/**
 * What is read in one turn of the event loop: a millisecond or two of each kind, so that nothing else has to wait
 * longer, however many ask.
 */
const ACCOUNTS_IN_A_TURN = 256;
const USAGE_IN_A_TURN = 16;
const PAGES_IN_A_TURN = 1;

type SubUserPage = Parameters<AccountReader['listSubUsers']>;
type UsageSpan = Parameters<UsageReader['listUsageDays']>;
/** Both begin with the reseller whose they are. */
const firstOf = ([reseller]: SubUserPage | UsageSpan) => reseller;

/** Each read is one short query on the calling thread: microseconds, and no lock that a writer waits for. */
export function sqliteReads(connection: Connection, seal: KeySeal): AccountReader & UsageReader & CredentialReader {
	const findAccount = gatherReads(
		orUnavailable(prepareFindRows(connection)),
		(row) => row && accountOf(row, seal.open),
		{ ownerOf: ({ reseller }) => reseller, most: ACCOUNTS_IN_A_TURN },
	);
	const subUsers = connection.prepare<[string, string, number], AccountRow>(
		`SELECT ${ACCOUNT_COLUMNS} FROM accounts
		 WHERE reseller = ? AND username > ? AND username <> reseller ORDER BY username LIMIT ?`,
	);
	const resellers = connection.prepare<[string, number], AccountRow>(
		`SELECT ${ACCOUNT_COLUMNS} FROM accounts JOIN usernames USING (reseller, username)
		 WHERE usernames.username > ? AND usernames.username = usernames.reseller ORDER BY usernames.username LIMIT ?`,
	);
	const usageDays = connection.prepare<[string, string, number, number], UsageDay>(
		`SELECT reseller, username, day, bytes_up AS bytesUp, bytes_down AS bytesDown FROM usage_days
		 WHERE reseller = ? AND username = ? AND day BETWEEN ? AND ? ORDER BY day`,
	);
	const token = connection.prepare<[string], StoredToken>(`SELECT ${STORED_TOKEN_COLUMNS} FROM tokens WHERE hash = ?`);
	const version = connection.prepare<[]>("SELECT value FROM meta WHERE name = 'credentials_version'").pluck();

	const listed = (rows: readonly AccountRow[]) => rows.map((row) => accountOf(row, seal.openOnce));
	const listSubUsers = gatherReads(
		orUnavailable((pages: readonly SubUserPage[]) => pages.map((page) => subUsers.all(...page))),
		listed,
		{ ownerOf: firstOf, most: PAGES_IN_A_TURN },
	);
	const listUsageDays = gatherReads(
		orUnavailable((spans: readonly UsageSpan[]) => spans.map((span) => usageDays.all(...span))),
		(days) => days,
		{ ownerOf: firstOf, most: USAGE_IN_A_TURN },
	);
	return {
		findAccount: (reseller, username) => findAccount({ reseller, username }),
		listSubUsers: (...page) => listSubUsers(page),
		listResellers: reading((after, limit) => listed(resellers.all(after, limit))),
		listUsageDays: (...span) => listUsageDays(span),
		findToken: reading((hash) => token.get(hash)),
		readCredentialsVersion: reading(() => Number(version.get())),
	};
}

/** Many point reads in one transaction: taking and letting go of a snapshot costs more than a read. */
function prepareFindRows(connection: Connection) {
	const find = connection.prepare<[string, string], AccountRow>(
		`SELECT ${ACCOUNT_COLUMNS} FROM accounts WHERE reseller = ? AND username = ?`,
	);
	const begin = connection.prepare('BEGIN');
	const end = connection.prepare('COMMIT');
	return (names: readonly AccountName[]): (AccountRow | undefined)[] => {
		begin.run();
		try {
			return names.map(({ reseller, username }) => find.get(reseller, username));
		} finally {
			if (connection.inTransaction) end.run();
		}
	};
}

/** The interface is asynchronous, because other engines are. */
function reading<Args extends readonly unknown[], Result>(read: (...args: Args) => Result) {
	const honest = orUnavailable(read);
	return async (...args: Args): Promise<Result> => honest(...args);
}

/** A failing read did nothing: whoever asked may be told so. */
function orUnavailable<Args extends readonly unknown[], Result>(read: (...args: Args) => Result) {
	return (...args: Args): Result => {
		try {
			return read(...args);
		} catch (cause) {
			if (isMachineFault(cause)) throw new StoreUnavailableError('the database cannot be read', { cause });
			throw cause;
		}
	};
}
