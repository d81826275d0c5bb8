import { type AccountRow, withoutKey } from '../account-row.ts';
import type { OperatorReads } from '../operator-reads.ts';
import { listPeople } from '../person-reads.ts';
import type { Connection } from './connection.ts';
import { ACCOUNT_COLUMNS, reading } from './reading.ts';
import { prepareShared } from './shared-statements.ts';

export function sqliteOperatorReads(connection: Connection): Omit<OperatorReads, 'verifyLedger'> {
	const resellers = connection.prepare<[string, number], AccountRow>(
		`SELECT ${ACCOUNT_COLUMNS} FROM accounts JOIN usernames USING (reseller, username)
		 WHERE usernames.username > ? AND usernames.username = usernames.reseller ORDER BY usernames.username LIMIT ?`,
	);
	return {
		listResellers: reading((after, limit) => resellers.all(after, limit).map(withoutKey)),
		listPeople: listPeople(reading(prepareShared(connection).read), Date.now),
	};
}
