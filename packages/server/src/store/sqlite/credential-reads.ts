import type { Token } from '../../domain/token.ts';
import type { CredentialReads } from '../credential-reads.ts';
import type { Connection } from './connection.ts';
import { reading } from './reading.ts';

export function sqliteCredentialReads(connection: Connection): CredentialReads {
	const token = connection.prepare<[string], Token>(
		'SELECT hash, reseller, expires_at_ms AS expiresAtMs FROM tokens WHERE hash = ?',
	);
	const version = connection.prepare<[]>("SELECT value FROM meta WHERE name = 'credentials_version'").pluck();
	return {
		findToken: reading((hash) => token.get(hash)),
		readCredentialsVersion: reading(() => Number(version.get())),
	};
}
