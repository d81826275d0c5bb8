import { type AccountRow, withoutKey } from '../account-row.ts';
import type { OperatorReads } from '../operator-reads.ts';
import { listPeople } from '../person-reads.ts';
import { ACCOUNT_COLUMNS, type Read } from './reading.ts';

export function postgresOperatorReads(read: Read, nowMs: () => number): Omit<OperatorReads, 'verifyLedger'> {
	return {
		async listResellers(after, limit) {
			const sql = `SELECT ${ACCOUNT_COLUMNS} FROM usernames JOIN accounts USING (reseller, username)
				WHERE usernames.username > $1 AND usernames.username = usernames.reseller ORDER BY usernames.username LIMIT $2`;
			return (await read<AccountRow>(sql, [after, limit])).map(withoutKey);
		},
		listPeople: listPeople(({ sql, values }) => read(sql, values), nowMs),
	};
}
