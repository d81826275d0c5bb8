import type { OperatorScope } from '@bursar/contract/scopes';
import type { OperatorToken } from '../../../domain/operators/operator-token.ts';
import { gatherEach } from '../../gather.ts';
import { OPERATORS, type Reader, type ReadLanes, type ReadLimit } from '../../reading.ts';
import { statementOf } from '../../search.ts';
import type { SharedStatement } from '../../statement.ts';
import { anywhere } from '../accounts/names.ts';

/** The tokens of programs of the operator. Each read throws `StoreUnavailableError` if the store cannot be asked. */
export interface OperatorTokenReads {
	/** The token with this hash, expired or not. */
	findOperatorToken(hash: string): Promise<StoredOperatorToken | undefined>;
	/** All of them by name, expired ones too. At most `MAX_OPERATOR_TOKENS` are live. */
	listOperatorTokens(): Promise<readonly StoredOperatorToken[]>;
	/** Live tokens of all resellers: by the last four characters, or by a part of the name in lowercase. For operators. */
	searchTokens(query: TokenQuery): Promise<readonly FoundToken[]>;
}

interface TokenQuery {
	/** `undefined`: only by the name. */
	readonly tail: string | undefined;
	readonly text: string;
	/** Unix milliseconds. */
	readonly nowMs: number;
	readonly limit: number;
}

interface FoundToken {
	readonly reseller: string;
	readonly tail: string;
	/** `null` for the main token of a reseller. */
	readonly name: string | null;
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

export function operatorTokenReads(reader: Reader, limit: ReadLimit, { quick, heavy }: ReadLanes): OperatorTokenReads {
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
		async searchTokens({ tail = '', text, nowMs, limit }) {
			// Each reseller has a few, so all of them are fewer than the rows of other heavy reads.
			const statement = statementOf(
				(
					bind,
				) => `SELECT reseller, tail, name FROM tokens WHERE (tail = ${bind(tail)} OR lower(name) LIKE ${bind(anywhere(text))} ESCAPE '!')
					AND (expires_at_ms IS NULL OR expires_at_ms > ${bind(nowMs)}) ORDER BY reseller, name LIMIT ${bind(limit)}`,
			);
			return (await heavy({ owner: OPERATORS, statement })) as readonly FoundToken[];
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
