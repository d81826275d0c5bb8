import type { CreatedToken } from '@bursar/contract/token-schemas';
import { fieldsOf, isText, readDate, readDateOrNull, readEach } from './answers.ts';
import type { TokenDetails, TokenScope } from './tokens.ts';

// Reads answers as `answers.ts` does: each function returns `undefined` if the data has another shape.

function readTokenDetails(data: unknown): TokenDetails | undefined {
	const sent = fieldsOf<CreatedToken>(data);
	const { id, name, tail, made_by: madeBy } = sent ?? {};
	const scopes = readTexts(sent?.scopes);
	const allowedIps = sent?.allowed_ips === null ? null : readTexts(sent?.allowed_ips);
	const expiresAt = readDate(sent?.expires_at);
	const lastUsed = readDateOrNull(sent?.last_used);
	const dateCreated = readDate(sent?.date_created);
	if (!isText(id) || !isText(name) || !isText(tail) || !isText(madeBy)) return undefined;
	if (!scopes || allowedIps === undefined || !expiresAt || lastUsed === undefined || !dateCreated) return undefined;
	return {
		...{ id, name, scopes: scopes as TokenScope[], allowedIps, tail, madeBy },
		...{ expiresAt, lastUsed: lastUsed ?? undefined, dateCreated },
	};
}

export function readCreatedToken(data: unknown): { token: string; details: TokenDetails } | undefined {
	const details = readTokenDetails(data);
	const { token } = fieldsOf<CreatedToken>(data) ?? {};
	return details && isText(token) ? { token, details } : undefined;
}

export function readTokens(data: unknown): TokenDetails[] | undefined {
	return readEach(data, readTokenDetails);
}

function readTexts(value: unknown): string[] | undefined {
	return readEach(value, (each) => (isText(each) ? each : undefined));
}
