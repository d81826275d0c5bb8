import { type Command, type Outcome, refuse } from '../../domain/command.ts';
import type { UsageReport, UsageVerdict } from '../../domain/usage.ts';
import type { KeySeal } from '../key-seal.ts';
import type { LedgerVerification } from '../operator-reads.ts';
import type { BatchAnswer } from '../store.ts';
import { writeBackup } from './backup.ts';
import { commandBatch } from './command-batch.ts';
import type { Connection } from './connection.ts';
import { verifyLedger } from './ledger-verification.ts';
import { isMachineFault, runInTransaction, type Transaction } from './transaction.ts';
import { usageBatch } from './usage-batch.ts';

/** Everything that needs the connection that writes. Every call waits for the disk. */
export interface Writer {
	runCommands(commands: readonly Command[], nowMs: number): BatchAnswer<Outcome>;
	recordUsage(reports: readonly UsageReport[], nowMs: number): BatchAnswer<UsageVerdict>;
	verifyLedger(): LedgerVerification;
	backup(file: string): void;
	close(): void;
}

export function createWriter(connection: Connection, seal: KeySeal): Writer {
	// `runInTransaction` waits for the lock itself.
	connection.pragma('busy_timeout = 0');
	const commandTransaction = commandBatch(connection, seal);
	const oneByOneTransaction = oneByOne(connection, commandTransaction);
	const usageTransaction = usageBatch(connection);
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
		if (answer.kind !== 'not_done' || isMachineFault(answer.cause)) return answer;
		return run(oneByOneTransaction, commands, nowMs);
	}

	return {
		runCommands,
		recordUsage: (reports, nowMs) => run(usageTransaction, reports, nowMs),
		verifyLedger: () => verifyLedger(connection),
		backup: (file) => writeBackup(connection, file),
		close: () => connection.close(),
	};
}

/**
 * For a batch in which something cannot be written. Each command has its own savepoint, so that only the faulty command
 * fails. It is still one transaction with one commit.
 */
function oneByOne(connection: Connection, transaction: Transaction<Command, Outcome>): Transaction<Command, Outcome> {
	return (commands, nowMs) => {
		const results: Outcome[] = [];
		const faults: unknown[] = [];
		for (const command of commands) {
			connection.exec('SAVEPOINT command');
			try {
				const alone = transaction([command], nowMs);
				results.push(...alone.results);
				faults.push(...alone.faults);
			} catch (cause) {
				if (isMachineFault(cause)) throw cause;
				connection.exec('ROLLBACK TO command');
				results.push(refuse('rules_failed'));
				faults.push(cause);
			}
			connection.exec('RELEASE command');
		}
		return { results, faults };
	};
}
