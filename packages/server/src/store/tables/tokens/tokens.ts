import type { ResellerScope } from '@bursar/contract/scopes';
import type { Token } from '../../../domain/token.ts';
import { gatherEach } from '../../gather.ts';
import type { Reader, ReadLimit } from '../../reading.ts';
import type { SharedStatement } from '../../statement.ts';
import { networksOf } from '../accounts/terms.ts';

/** The columns of a token that the rules know, for both engines. */
const TOKEN_COLUMNS = `hash, reseller, tail, made_at_ms AS "madeAtMs", made_by AS "madeBy", expires_at_ms AS "expiresAtMs",
	id, name, scopes, allowed_ips AS "allowedIps"`;

/** The same columns, and when the token was last used. */
export const STORED_TOKEN_COLUMNS = `${TOKEN_COLUMNS}, last_used_at_ms AS "lastUsedAtMs"`;

/** The reads that authenticate a request. Each throws `StoreUnavailableError` if the store cannot be asked. */
export interface CredentialReads {
	/** The token with this hash, expired or not. */
	findToken(hash: string): Promise<StoredToken | undefined>;
	/** Grows whenever the tokens of a reseller change. Using a token does not change it. */
	readCredentialsVersion(): Promise<number>;
}

export interface StoredToken extends Token {
	/** Unix milliseconds, up to about 90 seconds late; `null` if the token was never used. */
	readonly lastUsedAtMs: number | null;
}

export function tokenReads(reader: Reader, limit: ReadLimit): Pick<CredentialReads, 'findToken'> {
	return {
		findToken: gatherEach(
			reader,
			{
				sql: `SELECT ${STORED_TOKEN_COLUMNS} FROM tokens WHERE hash = $1 LIMIT 1`,
				columns: { hash: ['text', (hash: string) => hash] },
			},
			([row]: readonly StoredTokenRow[]) => row && tokenOf(row),
			// The reseller of a token is not known before it is found, so each token is an owner of its own.
			{ ownerOf: (hash) => hash, ...limit },
		),
	};
}

/** A row with `TOKEN_COLUMNS`. */
export interface TokenRow extends Omit<Token, 'further'> {
	/** This and what follows: NULL unless it is a further token. */
	readonly id: string | null;
	readonly name: string | null;
	/** With spaces between them. */
	readonly scopes: string | null;
	/** Networks with spaces between. NULL: from anywhere. */
	readonly allowedIps: string | null;
}

/** A row with `STORED_TOKEN_COLUMNS`. */
export interface StoredTokenRow extends TokenRow, Pick<StoredToken, 'lastUsedAtMs'> {}

export function tokenOf<Row extends TokenRow>({ id, name, scopes, allowedIps, ...row }: Row) {
	if (id === null || name === null || scopes === null) return { ...row, further: null };
	const further = { id, name, scopes: scopes.split(' ') as ResellerScope[], allowedIps: networksOf(allowedIps) };
	return { ...row, further };
}

/** Finds all tokens of resellers. */
export function findingTokens(resellers: readonly string[]): readonly SharedStatement[] {
	const sql = `SELECT ${TOKEN_COLUMNS} FROM tokens WHERE reseller = $1 ORDER BY hash`;
	return resellers.map((reseller) => ({ sql, values: [reseller] }));
}

/** Replaces the tokens of each of these resellers, of which none may have lost all. */
export function replacingTokens(
	tokensOf: readonly (readonly [reseller: string, tokens: readonly Token[]])[],
): readonly SharedStatement[] {
	return [
		// Set before other tokens are deleted: a hash that another reseller had when the batch began is not free.
		...tokensOf.flatMap(([, tokens]) => tokens).map(settingToken),
		...tokensOf.map(([reseller, tokens]) => deletingOthers(reseller, tokens)),
		{
			sql: "UPDATE meta SET value = CAST(value AS bigint) + 1 WHERE name = 'credentials_version'",
			values: [],
			rows: 1,
		},
	];
}

/** If another reseller has the hash, this writes no row, and so fails. */
function settingToken({ hash, reseller, tail, madeAtMs, madeBy, expiresAtMs, further }: Token): SharedStatement {
	const { id = null, name = null, scopes, allowedIps } = further ?? {};
	return {
		sql: `INSERT INTO tokens (hash, reseller, tail, made_at_ms, made_by, expires_at_ms, id, name, scopes, allowed_ips)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
			ON CONFLICT (hash) DO UPDATE SET expires_at_ms = excluded.expires_at_ms WHERE tokens.reseller = excluded.reseller`,
		values: [
			...[hash, reseller, tail, madeAtMs, madeBy, expiresAtMs, id, name],
			...[scopes?.join(' ') ?? null, allowedIps?.join(' ') ?? null],
		],
		rows: 1,
	};
}

function deletingOthers(reseller: string, tokens: readonly Token[]): SharedStatement {
	const kept = tokens.map((_, index) => `$${index + 2}`).join(', ');
	return {
		sql: `DELETE FROM tokens WHERE reseller = $1 AND hash NOT IN (${kept})`,
		values: [reseller, ...tokens.map(({ hash }) => hash)],
	};
}
