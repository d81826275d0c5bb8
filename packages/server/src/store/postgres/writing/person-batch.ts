import { refusePerson } from '../../../commands/person-verb.ts';
import type { PersonCommand, PersonOutcome } from '../../../commands/registry.ts';
import type { KeySeal } from '../../secrets/key-seal.ts';
import { personSteps } from '../../tables/people/batch.ts';
import type { Query } from '../database/connections.ts';
import { faultKind } from '../database/faults.ts';
import { checked, POSTGRES_JSON, type Statement } from '../rows.ts';
import type { Transaction } from './transaction.ts';

type PersonTransaction = Transaction<PersonCommand, PersonOutcome>;

/**
 * Loads, decides and writes commands about people one by one. What a command writes is sent together with the reads of
 * the next one, or with COMMIT. So a batch takes one round trip for each command, and one more.
 */
export function personBatch(seal: KeySeal): PersonTransaction {
	return async (query, commands, nowMs) => {
		const results: PersonOutcome[] = [];
		const faults: unknown[] = [];
		let unsent: readonly Statement[] = [];
		let hasWritten = false;
		const locked = lockPeople(query);
		for (const command of commands) {
			const { reads, decide } = personSteps(command, nowMs, seal, POSTGRES_JSON);
			const sending = Promise.all(unsent.map(({ sql, values }) => query(sql, values)));
			const reading = Promise.all(reads.map(({ sql, values }) => query<object>(sql, values)));
			const [answers] = await Promise.all([reading, sending, locked]);
			unsent = [];
			try {
				const { outcome, writes } = decide(answers.map(({ rows }) => rows));
				results.push(outcome);
				unsent = writes.map(checked);
				hasWritten ||= writes.length > 0;
			} catch (fault) {
				results.push(refusePerson('rules_failed'));
				faults.push(fault);
			}
		}
		return { results, faults, writes: unsent, mustCommit: hasWritten || results.some(({ ok }) => ok) };
	};
}

/**
 * For a batch in which something cannot be written. Each command has its own savepoint, so that only the faulty command
 * fails. It is still one transaction with one commit.
 */
export function onePersonAtATime(transaction: PersonTransaction): PersonTransaction {
	return async (query, commands, nowMs) => {
		const results: PersonOutcome[] = [];
		const faults: unknown[] = [];
		let mustCommit = false;
		await lockPeople(query);
		for (const command of commands) {
			await query('SAVEPOINT command');
			try {
				const alone = await transaction(query, [command], nowMs);
				await Promise.all(alone.writes.map(({ sql, values }) => query(sql, values)));
				results.push(...alone.results);
				faults.push(...alone.faults);
				mustCommit ||= alone.mustCommit;
			} catch (cause) {
				if (faultKind(cause) !== 'batch') throw cause;
				await query('ROLLBACK TO SAVEPOINT command');
				results.push(refusePerson('rules_failed'));
				faults.push(cause);
			}
			await query('RELEASE SAVEPOINT command');
		}
		return { results, faults, writes: [], mustCommit };
	};
}

/** All transactions that change people take turns, over all processes. There are no other locks to order. */
async function lockPeople(query: Query): Promise<void> {
	const { rows } = await query("SELECT 1 FROM meta WHERE name = 'people_lock' FOR UPDATE");
	if (rows.length !== 1) throw new Error('the database has lost its lock of people: restore a backup');
}
