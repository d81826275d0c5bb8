import type { OperatorScope } from '@bursar/contract/scopes';
import type { OperatorToken } from '../../../domain/operators/operator-token.ts';
import { gatherEach } from '../../gather.ts';
import { OPERATORS, type Reader, type ReadLanes, type ReadLimit } from '../../reading.ts';
import type { SharedStatement } from '../../statement.ts';

/** The tokens of programs of the operator. Each read throws `StoreUnavailableError` if the store cannot be asked. */
export interface OperatorTokenReads {
	/** The token with this hash, expired or not. */
	findOperatorToken(hash: string): Promise<StoredOperatorToken | undefined>;
	/** All of them by name, expired ones too. At most `MAX_OPERATOR_TOKENS` are live. */
	listOperatorTokens(): Promise<readonly StoredOperatorToken[]>;
}

export interface StoredOperatorToken extends OperatorToken {
	/** Unix milliseconds, up to about 90 seconds late; `null` if the token was never used. */
	readonly lastUsedAtMs: number | null;
}

const SELECT = `SELECT id, hash, name, tail, scopes, made_at_ms AS "madeAtMs", made_by AS "madeBy",
	expires_at_ms AS "expiresAtMs", last_used_at_ms AS "lastUsedAtMs" FROM operator_tokens`;

export const LIST_OPERATOR_TOKENS: SharedStatement = { sql: `${SELECT} ORDER BY name`, values: [] };

interface OperatorTokenRow extends Omit<StoredOperatorToken, 'scopes'> {
	/** With spaces between them. */
	readonly scopes: string;
}

export function operatorTokenReads(reader: Reader, limit: ReadLimit, { quick }: ReadLanes): OperatorTokenReads {
	return {
		findOperatorToken: gatherEach(
			reader,
			{ sql: `${SELECT} WHERE hash = $1 LIMIT 1`, columns: { hash: ['text', (hash: string) => hash] } },
			([row]: readonly OperatorTokenRow[]) => row && operatorTokenOf(row),
			// Each token is an owner of its own.
			{ ownerOf: (hash) => hash, ...limit },
		),
		async listOperatorTokens() {
			return operatorTokensOf(await quick({ owner: OPERATORS, statement: LIST_OPERATOR_TOKENS }));
		},
	};
}

/** Reads rows of `LIST_OPERATOR_TOKENS`. */
export function operatorTokensOf(rows: readonly object[]): readonly StoredOperatorToken[] {
	return (rows as readonly OperatorTokenRow[]).map(operatorTokenOf);
}

function operatorTokenOf({ scopes, ...row }: OperatorTokenRow): StoredOperatorToken {
	return { ...row, scopes: scopes.split(' ') as OperatorScope[] };
}

export function addOperatorToken(token: OperatorToken): SharedStatement {
	const { id, hash, name, tail, scopes, madeAtMs, madeBy, expiresAtMs } = token;
	return {
		sql: `INSERT INTO operator_tokens (id, hash, name, tail, scopes, made_at_ms, made_by, expires_at_ms)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		values: [id, hash, name, tail, scopes.join(' '), madeAtMs, madeBy, expiresAtMs],
		rows: 1,
	};
}

export function removeOperatorToken(id: string): SharedStatement {
	return { sql: 'DELETE FROM operator_tokens WHERE id = $1', values: [id], rows: 1 };
}
