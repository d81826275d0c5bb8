import { OPEN_KNOWN_MS } from '@bursar/contract/edge-limits';
import { HEAVY_READ_MS, type Reader, StoreUnavailableError } from '../reading.ts';
import type { ReadLimits } from '../reads.ts';
import type { AccountName, AccountRow } from '../tables/accounts/account.ts';
import { type FindingPairs, pairDays } from '../tables/accounts/pair.ts';
import type { FindAccounts } from '../tables/accounts/reads.ts';
import { verifying } from '../tables/ledger/checks.ts';
import type { LedgerVerification } from '../tables/ledger/verifications.ts';
import { beginReading, beginSnapshot, runAlone } from './database/beginning.ts';
import { type Connections, type Lease, RETRY_MS } from './database/connections.ts';
import { faultKind } from './database/faults.ts';
import { LIMITS } from './database/limits.ts';
import { arrayOf, forEach, grouped, runSteps } from './rows.ts';

/**
 * Reads that come while the queries of their kind run wait together, so the busier the service gets, the more reads share a
 * query. The thread that talks to clients processes the rows, so a query is kept small.
 * @bound Queries of each kind at once on PostgreSQL, and reads in one query: the rest waits.
 */
export const READ_LIMITS = {
	accounts: { atOnce: 2, most: 256 },
	usage: { atOnce: 2, most: 16 },
	changes: { atOnce: 1, most: 64 },
	lists: { atOnce: 2, most: 1 },
	tokens: { atOnce: 1, most: 256 },
	// It leaves the other connection to those who were found.
	keys: { atOnce: 1, most: 256 },
	people: { atOnce: 2, most: 1 },
	pages: { atOnce: 2, most: 1 },
	reports: { atOnce: 2, most: 1 },
	pairs: { atOnce: 3, most: 1_000 },
} as const satisfies ReadLimits;

/** How many connections each kind of reads needs, so that none waits for another one. */
export const READ_CONNECTIONS = {
	resellers:
		READ_LIMITS.accounts.atOnce + READ_LIMITS.usage.atOnce + READ_LIMITS.changes.atOnce + READ_LIMITS.lists.atOnce,
	/** For tokens and the credentials version. */
	credentials: READ_LIMITS.tokens.atOnce + 1,
	/** Reads of a person's record, and reads of the business that pages show. Neither wait for the other. */
	dashboard: READ_LIMITS.people.atOnce + READ_LIMITS.pages.atOnce,
	reports: READ_LIMITS.reports.atOnce,
	/** For the list of edges, and for pairs that checks wait for and that are read again. */
	edges: READ_LIMITS.pairs.atOnce,
	verification: 1,
} as const;

/** Reads rows in a statement of its own. It sees everything that was committed before it began. */
export type Read = <Row extends object>(sql: string, values: readonly unknown[]) => Promise<readonly Row[]>;

/** The reads of statements that all engines share. */
export function readerOf(read: Read): Reader {
	return {
		read: ({ sql, values }) => read(sql, values),
		async readEach(each) {
			const { sql, values } = forEach(each);
			return grouped(await read(sql, values), each);
		},
	};
}

const BEGIN = beginReading({ idleMs: LIMITS.idleMs });

/**
 * Reads, and reads again within the time limit if a connection is lost. Rejects with `StoreUnavailableError`, or with the
 * fault itself if to ask again does not help.
 */
export function readingFrom(connections: Connections): Read {
	return async <Row extends object>(sql: string, values: readonly unknown[]) => {
		const giveUpAtMs = performance.now() + LIMITS.readMs;
		for (;;) {
			try {
				return (await runAlone<Row>(connections, giveUpAtMs, { begin: BEGIN, sql, values, end: 'ROLLBACK' })).rows;
			} catch (cause) {
				// With less time, another attempt would only hide this cause.
				if (faultKind(cause) === 'again' && performance.now() + RETRY_MS < giveUpAtMs) continue;
				throw faultKind(cause) === 'defect'
					? cause
					: new StoreUnavailableError('the database cannot be read', { cause });
			}
		}
	};
}

/** The database may answer this much later than it should end a report, in milliseconds. */
const LATE_ANSWER_MS = 2_000;

/** `find_live_accounts` is planned once for each connection: to plan it each time costs more than to run it. */
export function findingAccounts(read: Read): FindAccounts {
	return async (names) => {
		const values = [names.map(({ reseller }) => reseller), names.map(({ username }) => username)].map(arrayOf);
		const sql = `SELECT index, balance_cents AS "balanceCents", sealed_auth_key AS "sealedAuthKey", created_at_ms AS "createdAtMs"
			FROM find_live_accounts($1, $2)`;
		const found = names.map((): AccountRow | undefined => undefined);
		for (const { index, ...row } of await read<FoundAccount>(sql, values)) {
			found[index] = { ...(names[index] as AccountName), ...row };
		}
		return found;
	};
}

interface FoundAccount extends Omit<AccountRow, keyof AccountName> {
	readonly index: number;
}

/** `find_pairs` is planned once for each connection, too. */
export const findingPairs: FindingPairs = (usernames, atMs) => ({
	sql: FIND_PAIRS,
	values: [arrayOf(usernames), ...pairDays(atMs), atMs - OPEN_KNOWN_MS],
});

const FIND_PAIRS = `SELECT username, reseller, sealed_auth_key AS "sealedAuthKey", allowed_ips AS "allowedIps", connections,
	bytes_per_second AS "bytesPerSecond", open, live_cents AS "liveCents", micro_usd_per_gb AS "microUsdPerGb", rest_units AS "restUnits", has_paid AS "hasPaid",
	suspended_at_ms AS "suspendedAtMs", reseller_suspended_at_ms AS "resellerSuspendedAtMs", debt_cents AS "debtCents",
	debt_line_cents AS "debtLineCents", expires_at_ms AS "expiresAtMs", left_of_day AS "leftOfDay",
	left_of_month AS "leftOfMonth", left_of_total AS "leftOfTotal"
	FROM find_pairs($1, $2, $3, $4)`;

/** Reads that may take long: the database ends one after the limit. They are not repeated. */
export function reportingFrom(connections: Connections, limitMs = HEAVY_READ_MS): Read {
	// With more processes a report comes sooner, but takes twice the processor time, which movements of money then lack.
	const alone = 'SET LOCAL max_parallel_workers_per_gather = 0';
	const begin = `${beginReading({ idleMs: LIMITS.idleMs, statementMs: limitMs })}; ${alone}`;
	return async <Row extends object>(sql: string, values: readonly unknown[]) => {
		let lease: Lease | undefined;
		let tooLate: NodeJS.Timeout | undefined;
		try {
			lease = await connections.acquire(performance.now() + LIMITS.readMs);
			await lease.query(begin);
			// A report that is slow says nothing about the other connections, so it has a limit of its own.
			lease.unlimit();
			tooLate = setTimeout(lease.destroy, limitMs + LATE_ANSWER_MS);
			const [{ rows }] = await Promise.all([lease.query<Row>(sql, values), lease.query('ROLLBACK')]);
			lease.release();
			return rows;
		} catch (cause) {
			lease?.destroy();
			throw faultKind(cause) === 'defect'
				? cause
				: new StoreUnavailableError('the report could not be read', { cause });
		} finally {
			clearTimeout(tooLate);
		}
	};
}

/** Recomputes every balance from the ledger, in one snapshot. Others may write meanwhile. */
export async function verifyLedger(
	connections: Connections,
	onProgress: (done: number, steps: number) => void = () => {},
): Promise<LedgerVerification> {
	const lease = await connections.acquire(performance.now() + LIMITS.readMs);
	lease.unlimit();
	try {
		await lease.query(beginSnapshot());
		const verification = await runSteps(lease.query, verifying(onProgress));
		await lease.query('ROLLBACK');
		lease.release();
		return verification;
	} catch (cause) {
		lease.destroy();
		throw cause;
	}
}
