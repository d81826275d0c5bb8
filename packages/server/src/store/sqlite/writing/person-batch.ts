import type { PersonCommand, PersonOutcome } from '../../../commands/registry.ts';
import type { KeySeal } from '../../secrets/key-seal.ts';
import { personSteps } from '../../tables/people/batch.ts';
import type { Connection } from '../database/connection.ts';
import { prepareStatements, SQLITE_JSON } from '../rows.ts';
import type { Transaction } from './transaction.ts';

/** Loads, decides and writes commands about people one by one, inside a transaction that already holds the lock. */
export function personBatch(connection: Connection, seal: KeySeal): Transaction<PersonCommand, PersonOutcome> {
	const { read, write } = prepareStatements(connection);
	return (commands, nowMs) => {
		const results = commands.map((command) => {
			const { reads, decide } = personSteps(command, nowMs, seal, SQLITE_JSON);
			const { outcome, writes } = decide(reads.map(read));
			for (const statement of writes) write(statement);
			return outcome;
		});
		return { results, faults: [] };
	};
}
