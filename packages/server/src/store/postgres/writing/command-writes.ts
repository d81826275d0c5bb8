import type { BatchChanges } from '../../../domain/stored-books.ts';
import { otherWrites } from '../../account-batch.ts';
import type { KeySeal } from '../../secrets/key-seal.ts';
import { openingAccounts } from '../../tables/accounts/account.ts';
import { type Statement, statementOf } from '../rows.ts';
import { writingChanges, writingTransfers } from './batch-functions.ts';

/**
 * The statements that write the changes of a batch of commands. If another process has taken a name or a reference
 * meanwhile, a unique key fails, and the transaction is run again.
 */
export function writesOf(changes: BatchChanges, seal: KeySeal, masterKeyCheck: string): Statement[] {
	const { openedAccounts, changedAuthKeys, changedBalances, transfers, recordedChanges } = changes;
	const statements = [
		...openingAccounts(openedAccounts, seal).map(statementOf),
		writingTransfers(changedBalances, transfers),
		writingChanges(recordedChanges),
		...otherWrites(changes, seal).map(statementOf),
		// A process that has not noticed a change of the master key must not seal with the previous one.
		openedAccounts.length + changedAuthKeys.length + changes.webhooks.length > 0
			? { sql: ASSERT_MASTER_KEY, values: [masterKeyCheck] }
			: undefined,
	];
	return statements.filter((statement) => statement !== undefined);
}

const ASSERT_MASTER_KEY = "SELECT 1 / (count(*) = 1)::integer FROM meta WHERE name = 'master_key_check' AND value = $1";
