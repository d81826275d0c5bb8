import type { CredentialReads, StoredToken } from '../credential-reads.ts';
import { STORED_TOKEN_COLUMNS } from '../token-row.ts';
import type { Connection } from './connection.ts';
import { reading } from './reading.ts';

/** `lookAtSchema` is called with each look at the version. */
export function sqliteCredentialReads(connection: Connection, lookAtSchema: () => void): CredentialReads {
	const token = connection.prepare<[string], StoredToken>(`SELECT ${STORED_TOKEN_COLUMNS} FROM tokens WHERE hash = ?`);
	const version = connection.prepare<[]>("SELECT value FROM meta WHERE name = 'credentials_version'").pluck();
	return {
		findToken: reading((hash) => token.get(hash)),
		readCredentialsVersion: reading(() => {
			lookAtSchema();
			return Number(version.get());
		}),
	};
}
