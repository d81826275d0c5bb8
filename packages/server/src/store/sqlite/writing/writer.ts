import { type Refusal, refuse } from '../../../commands/command.ts';
import type { Command, Outcome, PersonCommand, PersonOutcome } from '../../../commands/registry.ts';
import type { BookkeepingRecord, RecordOutcome } from '../../../domain/bookkeeping/record.ts';
import type { SettledUsage } from '../../../domain/metering.ts';
import type { ArrivedReport, UsageVerdict } from '../../../domain/usage.ts';
import { bookkeepingBatch, type RecordWrite } from '../../bookkeeping-batch.ts';
import type { KeySeal } from '../../secrets/key-seal.ts';
import type { WriteOfGiven } from '../../statement.ts';
import { type BatchAnswer, WrongMasterKeyError } from '../../store.ts';
import { personSteps } from '../../tables/people/batch.ts';
import type { Connection } from '../database/connection.ts';
import { prepareStatements, SQLITE_JSON } from '../rows.ts';
import { commandBatch } from './command-batch.ts';
import { isMachineFault, runInTransaction, type Transaction } from './transaction.ts';
import { usageBatch } from './usage-batch.ts';

/** Everything that needs the connection that writes. Every call waits for the disk. */
export interface ConnectionWriter {
	runCommands(commands: readonly Command[], nowMs: number): BatchAnswer<Outcome>;
	runPersonCommands(commands: readonly PersonCommand[], nowMs: number): BatchAnswer<PersonOutcome>;
	recordUsage(reports: readonly ArrivedReport[], nowMs: number): BatchAnswer<UsageVerdict>;
	writeRecords(records: readonly BookkeepingRecord[], nowMs: number): BatchAnswer<RecordOutcome>;
	close(): void;
}

export function createWriter(connection: Connection, seal: KeySeal): ConnectionWriter {
	// `runInTransaction` waits for the lock itself.
	connection.pragma('busy_timeout = 0');
	const commandTransaction = commandBatch(connection, seal);
	const oneByOneTransaction = oneByOne(connection, commandTransaction);
	const people = oneByOne(connection, personTransaction(connection, seal));
	const usageTransaction = usageBatch(connection);
	const records = bookkeepingTransaction(connection);
	// After a commit with an unknown outcome, this connection may disagree with the disk.
	let lost: { readonly cause: unknown } | undefined;

	function run<Item, Result>(transaction: Transaction<Item, Result>, items: readonly Item[], nowMs: number) {
		if (lost) return { kind: 'not_done', cause: lost.cause } as const;
		const answer = runInTransaction(connection, transaction, items, nowMs);
		if (answer.kind === 'outcome_unknown') lost = { cause: answer.cause };
		return answer;
	}

	function runCommands(commands: readonly Command[], nowMs: number): BatchAnswer<Outcome> {
		const answer = run(commandTransaction, commands, nowMs);
		if (answer.kind !== 'not_done' || concernsAll(answer.cause)) return answer;
		return run(oneByOneTransaction, commands, nowMs);
	}

	/** If a total passes its limit, the batch fails. The second time, it looks at the totals first. */
	function recordUsage(reports: readonly ArrivedReport[], nowMs: number): BatchAnswer<UsageVerdict> {
		const answer = run(usageTransaction, reports, nowMs);
		if (answer.kind !== 'not_done' || isMachineFault(answer.cause)) return answer;
		return run(usageTransaction, reports, nowMs);
	}

	return {
		runCommands,
		runPersonCommands: (commands, nowMs) => run(people, commands, nowMs),
		recordUsage,
		writeRecords: (given, nowMs) => run(records, given, nowMs),
		close: () => connection.close(),
	};
}

/** Loads, decides and writes commands about people one by one, inside a transaction that already holds the lock. */
function personTransaction(connection: Connection, seal: KeySeal): Transaction<PersonCommand, PersonOutcome> {
	const { read, write } = prepareStatements(connection);
	return (commands, nowMs) => {
		const results = commands.map((command) => {
			const { reads, decide } = personSteps(command, nowMs, seal, SQLITE_JSON);
			const { outcome, writes } = decide(reads.map(read));
			for (const each of writes) write(each);
			return outcome;
		});
		return { results, faults: [] };
	};
}

/** Decides and writes records of bookkeeping, inside a transaction that already holds the lock, so that no row is held. */
function bookkeepingTransaction(connection: Connection): Transaction<BookkeepingRecord, RecordOutcome> {
	const { write } = prepareStatements(connection);
	return (records, nowMs) => {
		const { writes, afterwards, outcomes } = bookkeepingBatch(records, nowMs);
		for (const each of [...writes.map(asWrite), ...afterwards]) write(each);
		return outcomes([]);
	};
}

function asWrite(each: RecordWrite): WriteOfGiven {
	if (!('change' in each)) return each;
	const { change, key, where, set, given } = each;
	return { sql: `UPDATE ${change} SET ${set} FROM given WHERE ${change}.${key} = given.${key} AND ${where}`, given };
}

/**
 * Each command has its own savepoint, so that one that cannot be written fails alone. It is still one transaction with
 * one commit.
 */
function oneByOne<Item, Result>(
	connection: Connection,
	transaction: Transaction<Item, Result>,
): Transaction<Item, Result | Refusal<'rules_failed'>> {
	return (commands, nowMs) => {
		const results: (Result | Refusal<'rules_failed'>)[] = [];
		const faults: unknown[] = [];
		const settled: SettledUsage[] = [];
		for (const command of commands) {
			connection.exec('SAVEPOINT command');
			try {
				const alone = transaction([command], nowMs);
				results.push(...alone.results);
				faults.push(...alone.faults);
				settled.push(...(alone.settled ?? []));
			} catch (cause) {
				if (concernsAll(cause)) throw cause;
				connection.exec('ROLLBACK TO command');
				results.push(refuse('rules_failed'));
				faults.push(cause);
			}
			connection.exec('RELEASE command');
		}
		return { results, faults, settled };
	};
}

/** Whether the fault is not one of a single command, so that its whole batch must fail. */
function concernsAll(cause: unknown): boolean {
	return isMachineFault(cause) || cause instanceof WrongMasterKeyError;
}
