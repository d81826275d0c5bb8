import type { CredentialReads, StoredToken } from '../../tables/tokens/tokens.ts';
import { STORED_TOKEN_COLUMNS } from '../../tables/tokens/tokens.ts';
import type { Connection } from '../database/connection.ts';
import { reading } from './reading.ts';

/** `look` is called whenever the version is read. */
export function sqliteCredentialReads(connection: Connection, look: () => void): CredentialReads {
	const token = connection.prepare<[string], StoredToken>(`SELECT ${STORED_TOKEN_COLUMNS} FROM tokens WHERE hash = ?`);
	const version = connection.prepare<[]>("SELECT value FROM meta WHERE name = 'credentials_version'").pluck();
	return {
		findToken: reading((hash) => token.get(hash)),
		readCredentialsVersion: reading(() => {
			look();
			return Number(version.get());
		}),
	};
}
