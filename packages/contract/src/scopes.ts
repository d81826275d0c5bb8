/** What a further token of a reseller may do (docs/api.md 5.6). The one token may do everything. */
export const RESELLER_SCOPES = ['read', 'sub_users', 'money'] as const;
export type ResellerScope = (typeof RESELLER_SCOPES)[number];

/** What programs of the operator may do: a resource, and whether they may change it. */
export const OPERATOR_SCOPES = [
	'resellers:read',
	'resellers:write',
	'money:write',
	'prices:write',
	'tokens:write',
	'people:write',
	'edges:read',
	'edges:write',
	'usage:read',
	'usage:write',
] as const;
export type OperatorScope = (typeof OPERATOR_SCOPES)[number];

export function isResellerScope(text: string): text is ResellerScope {
	return (RESELLER_SCOPES as readonly string[]).includes(text);
}

export function isOperatorScope(text: string): text is OperatorScope {
	return (OPERATOR_SCOPES as readonly string[]).includes(text);
}

const TOKEN_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9 ._-]{0,38}[A-Za-z0-9])?$/;

/** Whether a token may have this name: 1 to 40 letters, digits, spaces, periods, underscores and hyphens. */
export function isTokenName(text: string): boolean {
	return TOKEN_NAME.test(text);
}
