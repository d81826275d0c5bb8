import type { DatabaseUrl } from '../database-url.ts';
import { gatherReads } from '../gather.ts';
import type { AppliedMigration } from '../migrations.ts';
import { storeReads } from '../reads.ts';
import { openSeal, readMasterKeyCheck } from '../secrets/master-key.ts';
import type { Store, StoreOpening } from '../store.ts';
import { beginWriting, runAlone } from './database/beginning.ts';
import { createDatabaseClock } from './database/clock.ts';
import { openConnections } from './database/connections.ts';
import { createHosts } from './database/hosts.ts';
import { LIMITS } from './database/limits.ts';
import { APPLIED_MIGRATIONS, migratePostgres, watchPostgresSchema } from './database/migrate.ts';
import {
	findingAccounts,
	findingPairs,
	READ_CONNECTIONS,
	READ_LIMITS,
	type Read,
	readerOf,
	readingFrom,
	reportingFrom,
	verifyLedger,
} from './reading.ts';
import { POSTGRES_JSON } from './rows.ts';
import { bookkeepingTransaction } from './writing/bookkeeping-batch.ts';
import { commandBatch, oneByOne, skippingHeld } from './writing/command-batch.ts';
import { onePersonAtATime, personBatch } from './writing/person-batch.ts';
import { createBatchWriter } from './writing/transaction.ts';
import { usageBatch } from './writing/usage-batch.ts';

/** @bound The service waits for PostgreSQL at its start: then it does not start. */
const OPEN_LIMIT_MS = 10_000;
/**
 * One batch of commands commits while the next one locks and loads. Two batches of usage reports run at once.
 * @bound Batches at once on PostgreSQL: the rest waits.
 */
const BATCHES_AT_ONCE = 2;
/** One more lane for commands that were held. */
const COMMAND_LANES = BATCHES_AT_ONCE + 1;
/** The lanes of commands, people, usage reports and bookkeeping, and one connection to resolve lost answers to COMMIT. */
const WRITE_CONNECTIONS = COMMAND_LANES + BATCHES_AT_ONCE + 3;
/** @bound Connections of a process to PostgreSQL: what needs one waits. */
export const MOST_CONNECTIONS = Object.values(READ_CONNECTIONS).reduce((sum, count) => sum + count, WRITE_CONNECTIONS);

/**
 * Opens the store in a PostgreSQL database. If needed, migrates it, unless it may not be, and binds it to
 * the master key.
 */
export async function openPostgresStore(
	url: DatabaseUrl,
	masterKey: Uint8Array,
	{ mayMigrate = true }: StoreOpening = {},
): Promise<Store> {
	const hosts = createHosts(url);
	const writing = openConnections(hosts, { max: WRITE_CONNECTIONS });
	const forReading = (kind: keyof typeof READ_CONNECTIONS) => openConnections(hosts, { max: READ_CONNECTIONS[kind] });
	const reading = forReading('resellers');
	const credentials = forReading('credentials');
	const dashboard = forReading('dashboard');
	const reports = forReading('reports');
	const edges = forReading('edges');
	const verification = forReading('verification');
	const all = { writing, reading, credentials, dashboard, reports, edges, verification };
	const close = async () => void (await Promise.all(Object.values(all).map((connections) => connections.close())));
	try {
		const appliedMigrations = await migratePostgres(writing, { limitMs: OPEN_LIMIT_MS, mayMigrate });
		const read = readingFrom(reading);
		const readCredentials = readingFrom(credentials);
		await assertDurable(read);
		const reader = readerOf(read);
		const { seal } = await openSeal(
			{
				name: 'the database',
				read: reader.read,
				write: ({ sql, values }) => {
					const begin = beginWriting({ lockMs: OPEN_LIMIT_MS, idleMs: LIMITS.idleMs });
					return runAlone(writing, performance.now() + OPEN_LIMIT_MS, { begin, sql, values, end: 'COMMIT' });
				},
			},
			() => masterKey,
		);
		const clock = createDatabaseClock();
		const otherMasterKey = Promise.withResolvers<unknown>();
		const schema = watchPostgresSchema();
		const sealedCheck = await readMasterKeyCheck(reader.read);
		const commandTransaction = commandBatch(seal, sealedCheck ?? '');
		const commands = createBatchWriter(writing, {
			lanes: COMMAND_LANES,
			prepareMs: LIMITS.prepareMs,
			transaction: commandTransaction,
			skippingHeld: skippingHeld(commandTransaction),
			oneByOne: oneByOne(commandTransaction),
		});
		const personTransaction = personBatch(seal);
		const people = createBatchWriter(writing, {
			lanes: 1,
			prepareMs: LIMITS.prepareMs,
			transaction: personTransaction,
			oneByOne: onePersonAtATime(personTransaction),
		});
		const records = createBatchWriter(writing, {
			lanes: 1,
			prepareMs: LIMITS.prepareMs,
			transaction: bookkeepingTransaction,
		});
		const usage = createBatchWriter(writing, {
			lanes: BATCHES_AT_ONCE,
			prepareMs: LIMITS.usagePrepareMs,
			transaction: usageBatch(clock.nowMs),
		});

		async function askForVersion(): Promise<number> {
			const askedAtMs = performance.now();
			const [row] = await readCredentials<CredentialsLook>(
				`SELECT value::bigint AS version, (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS "databaseMs",
				 (SELECT value FROM meta WHERE name = 'master_key_check') AS check, ${APPLIED_MIGRATIONS} AS migrations
				 FROM meta WHERE name = 'credentials_version'`,
				[],
			);
			if (row && row.check !== sealedCheck)
				otherMasterKey.resolve(new Error('the master key of the store was changed'));
			if (!row) throw new Error('the database has lost its credentials version: restore a backup');
			schema.look(row.migrations);
			clock.set(row.databaseMs, askedAtMs);
			return row.version;
		}
		// All callers that wait share one query.
		const readVersion = gatherReads(
			async (asked: readonly unknown[]) => Array(asked.length).fill(await askForVersion()) as number[],
			(version) => version,
			{ ownerOf: () => '', most: Number.POSITIVE_INFINITY },
		);
		await askForVersion();
		// The first answer may include the time to connect, so the clock is not exact before the second.
		await askForVersion();

		return {
			appliedMigrations,
			maxWaitMs: LIMITS.queueMs,
			batchesAtOnce: BATCHES_AT_ONCE,
			// A failing database is not lost: it is asked again.
			lost: Promise.race([otherMasterKey.promise, schema.broken]),
			outgrown: schema.outgrown,
			nowMs: clock.nowMs,
			deriveKey: seal.deriveKey,
			...storeReads(
				{
					readers: {
						resellers: reader,
						credentials: readerOf(readCredentials),
						dashboard: readerOf(readingFrom(dashboard)),
						edges: readerOf(readingFrom(edges)),
					},
					readReport: readerOf(reportingFrom(reports)).read,
					limits: READ_LIMITS,
					json: POSTGRES_JSON,
					// An index has the times of movements.
					near: () => '',
					findAccounts: findingAccounts(read),
					findingPairs,
					nowMs: clock.nowMs,
				},
				seal,
			),
			readCredentialsVersion: () => readVersion(undefined),
			verifyLedger: (onProgress) => verifyLedger(verification, onProgress),
			runCommands: commands.run,
			runPersonCommands: people.run,
			recordUsage: usage.run,
			writeRecords: records.run,
			databaseState: () => ({
				...hosts.names(),
				pools: Object.entries(all).map(([pool, connections]) => ({ pool, ...connections.state() })),
			}),
			async close() {
				await Promise.all([commands.idle(), people.idle(), usage.idle(), records.idle()]);
				await close();
			},
		};
	} catch (cause) {
		await close();
		throw cause;
	}
}

/** The row that is read every second. */
interface CredentialsLook {
	readonly version: number;
	readonly databaseMs: number;
	readonly check: string;
	readonly migrations: readonly AppliedMigration[];
}

/** A server without fsync loses acknowledged changes. A server that cuts COMMIT short leaves its outcome unknown. */
export async function assertDurable(read: Read): Promise<void> {
	const [row] = await read<{ fsync: string; limit: string | null }>(
		"SELECT current_setting('fsync') AS fsync, current_setting('transaction_timeout', true) AS limit",
		[],
	);
	if (row?.fsync !== 'on')
		throw new Error('the PostgreSQL server runs with fsync = off, and would lose money: turn it on');
	if ((row.limit ?? '0') !== '0') {
		throw new Error('transaction_timeout is set for this role or database, and would cut a COMMIT short: set it to 0');
	}
}
