import { gatherReads } from '../../gather.ts';
import type { CredentialReads, StoredToken } from '../../tables/tokens/tokens.ts';
import { STORED_TOKEN_COLUMNS } from '../../tables/tokens/tokens.ts';
import type { Read } from './reading.ts';

const TOKENS = { atOnce: 1, most: 256 } as const;

export function postgresCredentialReads(read: Read, askForVersion: () => Promise<number>): CredentialReads {
	const findToken = gatherReads(
		(hashes: readonly string[]) => findTokens(read, hashes),
		(token) => token,
		// The reseller of a token is not known before it is found, so each token is an owner of its own.
		{ ownerOf: (hash) => hash, ...TOKENS },
	);
	// All callers that wait share one query.
	const readVersion = gatherReads(
		async (asked: readonly unknown[]) => Array(asked.length).fill(await askForVersion()) as number[],
		(version) => version,
		{ ownerOf: () => '', most: Number.POSITIVE_INFINITY },
	);
	return { findToken, readCredentialsVersion: () => readVersion(undefined) };
}

async function findTokens(read: Read, hashes: readonly string[]): Promise<(StoredToken | undefined)[]> {
	const sql = `SELECT ${STORED_TOKEN_COLUMNS} FROM tokens WHERE hash = ANY($1)`;
	const tokens = new Map((await read<StoredToken>(sql, [hashes])).map((token) => [token.hash, token]));
	return hashes.map((hash) => tokens.get(hash));
}
