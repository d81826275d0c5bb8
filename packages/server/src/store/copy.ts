import { type FoundProblem, LEDGER_CHECKS, ledgerProblems } from './ledger-checks.ts';

/**
 * Copies a store to an engine where there is none yet, in one transaction, and compares the two before it
 * is committed. The source is marked as moved before COMMIT is sent, so that at no moment, whatever
 * ends this process, both can be served. Throws `CopyError`.
 */
export async function copyBooks(
	source: CopySource,
	target: CopyTarget,
	onProgress: (message: string) => void,
): Promise<CopiedCounts> {
	await target.begin(source.masterKey);
	const counts = {} as Record<TableName, number>;
	for (const table of COPIED_TABLES) {
		counts[table.name] = await copyTable(source, target, table, (rows, all) =>
			onProgress(`copying ${table.name}: ${rows.toLocaleString('en')} of ${all.toLocaleString('en')}`),
		);
	}
	await target.finish((await source.ask(FACTS)) as readonly Fact[]);

	onProgress('comparing the copy with the store');
	const disagreement = await findDisagreement(source, target, onProgress);
	if (disagreement !== undefined) {
		throw new CopyError('copies_differ', `${disagreement}; nothing was copied, and the store is as it was`);
	}
	await commitMarked(source, target);
	return counts;
}

/** What a store is copied from. Nobody else can open it meanwhile. */
export interface CopySource {
	/** What its proxy auth keys are sealed under. */
	readonly masterKey: Uint8Array;
	/** All rows, each as its values in the order of the columns, in the order of the key. */
	readPages(table: CopiedTable, rowsAtOnce: number): Iterable<readonly CopiedRow[]>;
	ask(query: string): Promise<readonly object[]>;
	/** Durably: no process opens the store any more. */
	markMoved(to: string): void;
	takeMarkBack(): void;
	close(): void;
}

/** What a store is copied to: all in one transaction, which is rolled back where it was not committed. */
export interface CopyTarget {
	/** Its host and database, for people to look at: without any user. */
	readonly place: string;
	/** Keeps everybody else out. Throws `CopyError` where something is in it already. */
	begin(masterKey: Uint8Array): Promise<void>;
	write(table: CopiedTable, rows: readonly CopiedRow[]): Promise<void>;
	/** After the last row: all that goes by what is in the tables. */
	finish(facts: readonly Fact[]): Promise<void>;
	ask(query: string): Promise<readonly object[]>;
	/** Rows of the accounts behind that one (`''` for the first), in the order of the key. */
	readAccounts(reseller: string, username: string, limit: number): Promise<readonly CopiedRow[]>;
	commit(): Promise<CopyEnding>;
	close(): Promise<void>;
}

type CopyEnding =
	| { readonly kind: 'committed' }
	/** Certainly nothing was done. */
	| { readonly kind: 'not_done'; readonly cause: unknown }
	| { readonly kind: 'outcome_unknown'; readonly cause: unknown };

/** Why a store is not copied, or not opened: a code for scripts, and a sentence for people. */
export class CopyError extends Error {
	override readonly name = 'CopyError';
	readonly code: string;

	constructor(code: string, message: string) {
		super(message);
		this.code = code;
	}
}

export interface CopiedTable {
	readonly name: TableName;
	readonly columns: Readonly<Record<string, 'text' | 'bigint' | 'integer'>>;
}
type TableName =
	| 'usernames'
	| 'accounts'
	| 'transfers'
	| 'top_ups'
	| 'tokens'
	| 'usage_reports'
	| 'usage_days'
	| 'usage_reseller_days';
export type CopiedRow = readonly unknown[];
export type CopiedCounts = Readonly<Record<TableName, number>>;

/** A row of `meta` that goes along. */
interface Fact {
	readonly name: string;
	readonly value: string;
}

export const ACCOUNTS: CopiedTable = {
	name: 'accounts',
	columns: {
		reseller: 'text',
		username: 'text',
		balance_cents: 'bigint',
		sealed_auth_key: 'text',
		created_at_ms: 'bigint',
	},
};

/** All that a store is, besides its facts. What an engine keeps for itself is none of it. */
export const COPIED_TABLES: readonly CopiedTable[] = [
	{ name: 'usernames', columns: { username: 'text', reseller: 'text' } },
	ACCOUNTS,
	{
		name: 'transfers',
		columns: {
			id: 'bigint',
			reseller: 'text',
			debit: 'text',
			credit: 'text',
			amount_cents: 'bigint',
			kind: 'text',
			at_ms: 'bigint',
			request_id: 'text',
			debit_balance_cents: 'bigint',
			credit_balance_cents: 'bigint',
		},
	},
	{
		name: 'top_ups',
		columns: { reference: 'text', reseller: 'text', amount_cents: 'bigint', balance_cents: 'bigint' },
	},
	{
		name: 'tokens',
		columns: {
			hash: 'text',
			reseller: 'text',
			tail: 'text',
			made_at_ms: 'bigint',
			made_by: 'text',
			expires_at_ms: 'bigint',
			last_used_at_ms: 'bigint',
		},
	},
	{
		name: 'usage_reports',
		columns: {
			source: 'text',
			report_id: 'text',
			username: 'text',
			at_ms: 'bigint',
			bytes_up: 'bigint',
			bytes_down: 'bigint',
			received_at_ms: 'bigint',
		},
	},
	{
		name: 'usage_days',
		columns: { reseller: 'text', username: 'text', day: 'integer', bytes_up: 'bigint', bytes_down: 'bigint' },
	},
	{
		name: 'usage_reseller_days',
		columns: { reseller: 'text', day: 'integer', bytes_up: 'bigint', bytes_down: 'bigint' },
	},
];

const FACTS =
	"SELECT name, value FROM meta WHERE name IN ('credentials_version', 'master_key_check', 'usage_horizon_ms')";

const ROWS_AT_ONCE = 5_000;

/** The next page is read while the one before it is written. */
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
		// Where reading on fails, nobody waits for it any more.
		writing.catch(() => {});
	}
	await writing;
	return rows;
}

/** The first thing in which the copy is not what the store is, or is not in order; `undefined` where there is none. */
async function findDisagreement(
	source: CopySource,
	target: CopyTarget,
	onProgress: (message: string) => void,
): Promise<string | undefined> {
	const account = await findOtherAccount(source, target);
	if (account !== undefined) return `the copy does not agree with the store in the account ${account}`;
	for (const { what, query } of FIGURES) {
		const [ours, theirs] = [await source.ask(query), await target.ask(query)];
		if (inOneOrder(ours) !== inOneOrder(theirs)) return `the copy does not agree with the store in ${what}`;
	}
	for (const check of LEDGER_CHECKS) {
		onProgress('verifying the ledger of the copy');
		const problems = ledgerProblems(check, (await target.ask(check.query)) as readonly FoundProblem[]);
		const [first] = problems;
		if (first) return `the ledger of the store is not in order: ${namesOf(problems)}: ${first.problem}`;
	}
	return undefined;
}

/** Exact, however large it is: millions and the rest apart, and as text. */
function exactSum(column: string): string {
	return `CAST(SUM(${column} / 1000000) AS TEXT) AS ${column}_millions,
		CAST(SUM(${column} % 1000000) AS TEXT) AS ${column}_rest`;
}

/** How many rows a table has, what its figures add up to, and how long its texts are together. */
function figuresOf({ name, columns }: CopiedTable): string {
	const sums = Object.entries(columns).map(([column, type]) =>
		type === 'text' ? `CAST(SUM(LENGTH(${column})) AS TEXT) AS ${column}_length` : exactSum(column),
	);
	return `SELECT CAST(COUNT(*) AS TEXT) AS rows_there, ${sums.join(', ')} FROM ${name}`;
}

/** Queries that must have the same rows on both sides. */
const FIGURES: readonly { readonly what: string; readonly query: string }[] = [
	...COPIED_TABLES.map((table) => ({ what: `the figures of ${table.name}`, query: figuresOf(table) })),
	{ what: 'its credentials version, the check value of its master key or its usage horizon', query: FACTS },
];

function inOneOrder(rows: readonly object[]): string {
	return rows
		.map((row) => JSON.stringify(Object.values(row)))
		.sort()
		.join();
}

/** Goes through the accounts of both sides, in the one order that they share. */
async function findOtherAccount(source: CopySource, target: CopyTarget): Promise<string | undefined> {
	let [reseller, username] = ['', ''];
	for (const ours of source.readPages(ACCOUNTS, ROWS_AT_ONCE)) {
		const theirs = await target.readAccounts(reseller, username, ours.length);
		for (const [place, account] of ours.entries()) {
			[reseller, username] = account as [string, string];
			if (JSON.stringify(account) !== JSON.stringify(theirs[place])) return username;
		}
	}
	return undefined;
}

const NAMED_AT_MOST = 5;

function namesOf(found: readonly { readonly username: string }[]): string {
	const names = found.slice(0, NAMED_AT_MOST).map(({ username }) => username);
	const more = found.length - names.length;
	return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}

/** Where nobody knows what became of the copy, the mark stays: people can look. */
async function commitMarked(source: CopySource, target: CopyTarget): Promise<void> {
	source.markMoved(target.place);
	const ending = await target.commit();
	if (ending.kind === 'committed') return;
	const cause = ending.cause instanceof Error ? ending.cause.message : String(ending.cause);
	if (ending.kind === 'not_done') {
		source.takeMarkBack();
		throw new CopyError('copy_failed', `the copy could not be committed, and nothing was copied (${cause})`);
	}
	throw new CopyError(
		'outcome_unknown',
		`the copy was sent to ${target.place}, and whether it was committed could not be learned (${cause}). The store is marked as moved. Look into the database: where the resellers are in it, the copy is complete, and is the store from now on; where it is empty, take the mark away with bursar store reopen`,
	);
}
