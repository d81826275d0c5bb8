import { type Refusal, refuse } from '../../../commands/command.ts';
import type { Command, Outcome, PersonCommand, PersonOutcome } from '../../../commands/registry.ts';
import type { Note, NoteOutcome } from '../../../domain/bookkeeping/note.ts';
import type { SettledUsage } from '../../../domain/metering.ts';
import type { ArrivedReport, UsageVerdict } from '../../../domain/usage.ts';
import type { KeySeal } from '../../secrets/key-seal.ts';
import { type BatchAnswer, WrongMasterKeyError } from '../../store.ts';
import type { Connection } from '../database/connection.ts';
import { commandBatch } from './command-batch.ts';
import { noteBatch } from './note-batch.ts';
import { personBatch } from './person-batch.ts';
import { isMachineFault, runInTransaction, type Transaction } from './transaction.ts';
import { usageBatch } from './usage-batch.ts';

/** Everything that needs the connection that writes. Every call waits for the disk. */
export interface ConnectionWriter {
	runCommands(commands: readonly Command[], nowMs: number): BatchAnswer<Outcome>;
	runPersonCommands(commands: readonly PersonCommand[], nowMs: number): BatchAnswer<PersonOutcome>;
	recordUsage(reports: readonly ArrivedReport[], nowMs: number): BatchAnswer<UsageVerdict>;
	writeNotes(notes: readonly Note[], nowMs: number): BatchAnswer<NoteOutcome>;
	close(): void;
}

export function createWriter(connection: Connection, seal: KeySeal): ConnectionWriter {
	// `runInTransaction` waits for the lock itself.
	connection.pragma('busy_timeout = 0');
	const commandTransaction = commandBatch(connection, seal);
	const oneByOneTransaction = oneByOne(connection, commandTransaction);
	const personTransaction = oneByOne(connection, personBatch(connection, seal));
	const usageTransaction = usageBatch(connection);
	const noteTransaction = noteBatch(connection);
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
		runPersonCommands: (commands, nowMs) => run(personTransaction, commands, nowMs),
		recordUsage,
		writeNotes: (notes, nowMs) => run(noteTransaction, notes, nowMs),
		close: () => connection.close(),
	};
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
