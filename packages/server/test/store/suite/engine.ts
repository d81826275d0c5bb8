import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Command, Outcome, PersonCommand, PersonOutcome } from '../../../src/commands/registry.ts';
import type { BookkeepingRecord, RecordOutcome } from '../../../src/domain/bookkeeping/record.ts';
import type { Transfer } from '../../../src/domain/ledger.ts';
import type { ArrivedReport, UsageVerdict } from '../../../src/domain/usage.ts';
import type { BatchAnswer, Store } from '../../../src/store/store.ts';
import { createReseller, createSubUser, NOON_MS } from '../../support/commands.ts';
import type { TableRows } from '../../support/people-rows.ts';

const MOST_GIVEN_UP = 20;

/** An engine that the suite tests. */
export interface Engine {
	readonly name: string;
	/** A new, empty store. It ends with the test. */
	open(test: Lifetime): Promise<OpenedEngine>;
}

/** A test, or what else a store belongs to. The functions of `after` run when it ends. */
export type Lifetime = Pick<TestContext, 'after'> & Partial<Pick<TestContext, 'passed'>>;

export interface OpenedEngine {
	readonly store: Store;
	/** A folder for files of the test. It ends with the test. */
	readonly folder: string;
	/** Another store on the same data, as another process would open it. It ends with the test. */
	openAnother(): Promise<Store>;
	/** The ledger rows of a reseller, in the order of writing. */
	transfers(reseller: string): Promise<readonly Transfer[]>;
	/** The rows of a query on the tables, not through the store. */
	rows(query: string): Promise<readonly object[]>;
	/** Adds rows to the tables directly. */
	insert(rows: TableRows): Promise<void>;
	/** Runs a statement on the tables directly, without the database's constraints and triggers. */
	corrupt(sql: string): Promise<void>;
	/**
	 * Call it while the store is empty. The function that it returns makes the store empty again, not through the store,
	 * and brings back the constraints.
	 */
	emptier(): Promise<() => Promise<void>>;
}

/** A store with the resellers acme, with the sub-users alice and bruno, and other, with chiara. */
export async function openSubUsers(engine: Engine, test: Lifetime): Promise<OpenedEngine> {
	const opened = await engine.open(test);
	await runAll(opened.store, [
		...[createReseller('acme', 1000), createReseller('other', 1000)],
		...[createSubUser('acme', 'alice'), createSubUser('acme', 'bruno'), createSubUser('other', 'chiara')],
	]);
	return opened;
}

/** The rows of all pages. Each page is asked for with the last row of the one before. */
export async function allRows<Row>(
	limit: number,
	page: (last: Row | undefined) => Promise<readonly Row[]>,
): Promise<Row[]> {
	const found: Row[] = [];
	for (;;) {
		const next = await page(found.at(-1));
		assert.ok(next.length <= limit);
		if (next.length === 0) return found;
		found.push(...next);
	}
}

/** Runs commands as one batch, again while it or their accounts are busy, and returns their outcomes. */
export async function run(store: Store, commands: readonly Command[], nowMs = NOON_MS): Promise<readonly Outcome[]> {
	const { results, held } = await committed(() => store.runCommands(commands, nowMs));
	if (!held?.size) return results;
	// Beside others, and on a slow machine, an account may be locked for too long.
	const indexes = [...held].sort((a, b) => a - b);
	const outcomes = await run(
		store,
		indexes.map((index) => commands[index] as Command),
		nowMs,
	);
	return results.map((outcome, index) => outcomes[indexes.indexOf(index)] ?? outcome);
}

/** Like `run`. Throws unless all commands succeed. */
export async function runAll(store: Store, commands: readonly Command[], nowMs = NOON_MS): Promise<void> {
	for (const outcome of await run(store, commands, nowMs)) assert.ok(outcome.ok, JSON.stringify(outcome));
}

/** Runs commands about people as one batch, again while it is busy, and returns their outcomes. */
export async function runPeople(
	store: Store,
	commands: readonly PersonCommand[],
	nowMs = NOON_MS,
): Promise<readonly PersonOutcome[]> {
	return (await committed(() => store.runPersonCommands(commands, nowMs))).results;
}

/** Like `runPeople`. Throws unless all commands succeed. */
export async function runAllPeople(store: Store, commands: readonly PersonCommand[], nowMs = NOON_MS): Promise<void> {
	for (const outcome of await runPeople(store, commands, nowMs)) assert.ok(outcome.ok, JSON.stringify(outcome));
}

/** Records usage as one batch, again while it is busy, and returns the verdicts. */
export async function record(
	store: Store,
	reports: readonly ArrivedReport[],
	nowMs = NOON_MS,
): Promise<readonly UsageVerdict[]> {
	return (await committed(() => store.recordUsage(reports, nowMs))).results;
}

/** Writes records of bookkeeping as one batch, again while it is busy, and returns their outcomes. */
export async function keep(
	store: Store,
	records: readonly BookkeepingRecord[],
	nowMs = NOON_MS,
): Promise<readonly RecordOutcome[]> {
	return (await committed(() => store.writeRecords(records, nowMs))).results;
}

/** Like `keep`, but writes the records whose rows were held again. Throws unless all are written. */
export async function keepAll(store: Store, records: readonly BookkeepingRecord[], nowMs = NOON_MS): Promise<void> {
	for (let left = records; left.length > 0; ) {
		const outcomes = await keep(store, left, nowMs);
		for (const outcome of outcomes) assert.ok(outcome.ok || outcome.error === 'not_done', JSON.stringify(outcome));
		left = left.filter((_, index) => !outcomes[index]?.ok);
	}
}

/** Closes a store, and opens one on the same data anew. */
export async function restart(store: Store, openAnother: () => Promise<Store>): Promise<Store> {
	await store.close();
	return openAnother();
}

/**
 * Repeats a batch until it is committed: one that is busy, and, some times, one that was certainly not done, because on a
 * slow machine it may be given up before it is done. Throws on any other answer.
 */
export async function committed<Result>(attempt: () => Promise<BatchAnswer<Result>>) {
	for (let givenUp = 0; ; ) {
		const answer = await attempt();
		if (answer.kind === 'committed') return answer;
		if (answer.kind === 'busy') continue;
		const isSlow = answer.kind === 'not_done' && !answer.isDefect && ++givenUp <= MOST_GIVEN_UP;
		assert.ok(isSlow, `${answer.kind}: ${answer.cause}`);
	}
}

/** Each outcome as `ok` or its error. */
export function endings(outcomes: readonly (Outcome | PersonOutcome | RecordOutcome)[]): string[] {
	return outcomes.map((outcome) => (outcome.ok ? 'ok' : outcome.error));
}

export async function balanceOf(store: Store, reseller: string, username: string): Promise<number | undefined> {
	return (await store.findAccount(reseller, username))?.balanceCents;
}

/** Throws unless the ledger has no problems. */
export async function assertSoundLedger(store: Store): Promise<void> {
	assert.deepEqual((await store.verifyLedger()).problems, []);
}
