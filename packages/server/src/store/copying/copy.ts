import { type FoundProblem, LEDGER_CHECKS, ledgerProblems } from '../tables/ledger/checks.ts';
import { CopyError } from './copy-error.ts';

/**
 * Copies a store into an empty store of another engine, in one transaction, and compares the two before the commit. The
 * source is marked as moved before COMMIT is sent. So both can never be served, even if this process dies at any
 * moment. Throws `CopyError`.
 */
export async function copyBooks(
	source: CopySource,
	target: CopyTarget,
	onProgress: (message: string) => void,
): Promise<CopiedCounts> {
	await target.begin(source.masterKey, source.tables);
	const counts: Record<string, number> = {};
	for (const table of source.tables) {
		counts[table.name] = await copyTable(source, target, table, (rows, all) =>
			onProgress(`copying ${table.name}: ${rows.toLocaleString('en')} of ${all.toLocaleString('en')}`),
		);
	}
	await target.finish((await source.ask(FACTS)) as readonly Fact[], source.tables);

	onProgress('comparing the copy with the store');
	const disagreement = await findDisagreement(source, target, onProgress);
	if (disagreement !== undefined) {
		throw new CopyError('copies_differ', `${disagreement}; nothing was copied, and the store is as it was`);
	}
	await commitMarked(source, target);
	return counts;
}

/** A table of a store. All are copied but `migrations` and `meta`, of which only the facts are. */
export interface CopiedTable {
	readonly name: string;
	readonly columns: Readonly<Record<string, 'text' | 'bigint'>>;
}
export type CopiedRow = readonly unknown[];
/** How many rows each table has. */
export type CopiedCounts = Readonly<Record<string, number>>;

/** The store to copy. No other process can open it meanwhile. */
export interface CopySource {
	/** The key under which its proxy auth keys are sealed. */
	readonly masterKey: Uint8Array;
	/** As its schema has them: both engines have the same. */
	readonly tables: readonly CopiedTable[];
	/** All rows, in the order of the key. Each row has its values in the order of the columns. */
	readPages(table: CopiedTable, rowsAtOnce: number): Iterable<readonly CopiedRow[]>;
	ask(query: string): Promise<readonly object[]>;
	/** Marks the store durably, so that no process opens it any more. */
	markMoved(to: string): void;
	takeMarkBack(): void;
	close(): void;
}

/** The store to copy into. Everything happens in one transaction, which is rolled back unless it is committed. */
export interface CopyTarget {
	/** Its host and database, for messages. Without a user. */
	readonly location: string;
	/** Locks all other sessions out. Throws `CopyError` if one of the tables is not empty. */
	begin(masterKey: Uint8Array, tables: readonly CopiedTable[]): Promise<void>;
	write(table: CopiedTable, rows: readonly CopiedRow[]): Promise<void>;
	/** Called after the last row: writes the facts and prepares the tables for use. */
	finish(facts: readonly Fact[], tables: readonly CopiedTable[]): Promise<void>;
	ask(query: string): Promise<readonly object[]>;
	/** The rows of the table of accounts after this one (`''` for the first), in the order of the key. */
	readAccounts(
		accounts: CopiedTable,
		after: readonly [reseller: string, username: string],
		limit: number,
	): Promise<readonly CopiedRow[]>;
	commit(): Promise<CopyEnding>;
	close(): Promise<void>;
}

type CopyEnding =
	| { readonly kind: 'committed' }
	/** Nothing of it happened, certainly. */
	| { readonly kind: 'not_done'; readonly cause: unknown }
	| { readonly kind: 'outcome_unknown'; readonly cause: unknown };

/** A row of `meta` that is copied. */
interface Fact {
	readonly name: string;
	readonly value: string;
}

const FACTS =
	"SELECT name, value FROM meta WHERE name IN ('credentials_version', 'made_at_ms', 'master_key_check', 'usage_horizon_ms', 'usage_hours_since_ms', 'reading_days')";

const ROWS_AT_ONCE = 5_000;

/** Reads the next page while the previous one is being written. */
async function copyTable(
	source: CopySource,
	target: CopyTarget,
	table: CopiedTable,
	onRows: (rows: number, all: number) => void,
): Promise<number> {
	const [{ count }] = (await source.ask(`SELECT COUNT(*) AS count FROM ${table.name}`)) as [{ count: number }];
	let rows = 0;
	let writing = Promise.resolve();
	for (const page of source.readPages(table, ROWS_AT_ONCE)) {
		await writing;
		onRows(rows, count);
		rows += page.length;
		writing = target.write(table, page);
		// If the next read throws, nothing awaits this promise any more.
		writing.catch(() => {});
	}
	await writing;
	return rows;
}

/** Describes the first difference between the copy and the store, or the first problem of the ledger, if any. */
async function findDisagreement(
	source: CopySource,
	target: CopyTarget,
	onProgress: (message: string) => void,
): Promise<string | undefined> {
	const account = await findOtherAccount(source, target);
	if (account !== undefined) return `the copy differs from the store in the account ${account}`;
	for (const { what, query } of comparedFigures(source.tables)) {
		const [ours, theirs] = [await source.ask(query), await target.ask(query)];
		if (inOneOrder(ours) !== inOneOrder(theirs)) return `the copy differs from the store in ${what}`;
	}
	for (const check of LEDGER_CHECKS) {
		onProgress('verifying the ledger of the copy');
		const problems = ledgerProblems(check, (await target.ask(check.query)) as readonly FoundProblem[]);
		const [first] = problems;
		if (first) return `the ledger of the store is not in order: ${namesOf(problems)}: ${first.problem}`;
	}
	return undefined;
}

/** An exact sum of any size: millions and the rest are added up separately, and returned as text. */
function exactSum(column: string): string {
	return `CAST(SUM(${column} / 1000000) AS TEXT) AS ${column}_millions,
		CAST(SUM(${column} % 1000000) AS TEXT) AS ${column}_rest`;
}

/** How many rows a table has; how many values each column has, their sums, and the total lengths of its texts. */
function figuresOf({ name, columns }: CopiedTable): string {
	const figures = Object.entries(columns).flatMap(([column, type]) => [
		// An operator is a person without a reseller, and must not become one with a reseller whose name is empty.
		`CAST(COUNT(${column}) AS TEXT) AS ${column}_values`,
		type === 'text' ? `CAST(SUM(LENGTH(${column})) AS TEXT) AS ${column}_length` : exactSum(column),
	]);
	return `SELECT CAST(COUNT(*) AS TEXT) AS rows_there, ${figures.join(', ')} FROM ${name}`;
}

/** Queries that must have the same rows on both sides. */
function comparedFigures(tables: readonly CopiedTable[]) {
	return [
		...tables.map((table) => ({ what: `the figures of ${table.name}`, query: figuresOf(table) })),
		{
			what: 'its credentials version, the check value of its master key, its usage horizon or its days with readings',
			query: FACTS,
		},
	];
}

function inOneOrder(rows: readonly object[]): string {
	return rows
		.map((row) => JSON.stringify(Object.values(row)))
		.sort()
		.join();
}

const KEY_OF_ACCOUNTS = ['reseller', 'username'];

/** Compares the accounts of both sides, in the order of the key. */
async function findOtherAccount(source: CopySource, target: CopyTarget): Promise<string | undefined> {
	const accounts = source.tables.find(({ name }) => name === 'accounts');
	if (!accounts) throw new Error('the store has no accounts');
	const keyOf = (row: CopiedRow) => KEY_OF_ACCOUNTS.map((column) => row[Object.keys(accounts.columns).indexOf(column)]);
	let [reseller, username] = ['', ''];
	for (const ours of source.readPages(accounts, ROWS_AT_ONCE)) {
		const theirs = await target.readAccounts(accounts, [reseller, username], ours.length);
		for (const [index, account] of ours.entries()) {
			[reseller, username] = keyOf(account) as [string, string];
			if (JSON.stringify(account) !== JSON.stringify(theirs[index])) return username;
		}
	}
	return undefined;
}

const NAMED_AT_MOST = 5;

function namesOf(found: readonly { readonly name: string }[]): string {
	const names = found.slice(0, NAMED_AT_MOST).map(({ name }) => name);
	const more = found.length - names.length;
	return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}

/** If the outcome of the commit is unknown, the mark stays, and the operator has to look. */
async function commitMarked(source: CopySource, target: CopyTarget): Promise<void> {
	source.markMoved(target.location);
	const ending = await target.commit();
	if (ending.kind === 'committed') return;
	const cause = ending.cause instanceof Error ? ending.cause.message : String(ending.cause);
	if (ending.kind === 'not_done') {
		source.takeMarkBack();
		throw new CopyError('copy_failed', `the copy could not be committed, and nothing was copied (${cause})`);
	}
	throw new CopyError(
		'outcome_unknown',
		`the copy was sent to ${target.location}, and whether it was committed could not be learned (${cause}). The store is marked as moved. Look into the database: if it holds the resellers, the copy is complete, and is the store from now on. If it is empty, remove the mark with bursar store reopen`,
	);
}
