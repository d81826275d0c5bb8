import type { TokenCreation, TokenDetails } from '@bursar/client';
import type { FieldsOf } from './fields.ts';

// What `--json` prints of further tokens, with the field names of docs/api.md 5.6.

export function tokenFields({ id, name, scopes, allowedIps, tail, madeBy, ...times }: TokenDetails) {
	return {
		...{ id, name, scopes, allowed_ips: allowedIps, tail, made_by: madeBy },
		expires_at: times.expiresAt.toISOString(),
		last_used: times.lastUsed?.toISOString() ?? null,
		date_created: times.dateCreated.toISOString(),
	};
}
export const TOKEN_FIELDS = [
	...(['id', 'name', 'scopes', 'allowed_ips', 'tail', 'made_by'] as const),
	...(['expires_at', 'last_used', 'date_created'] as const),
] as const satisfies FieldsOf<typeof tokenFields>;

export function createdTokenFields({ token, details, confirmedBy }: TokenCreation) {
	return { ...tokenFields(details), token, confirmed_by: confirmedBy };
}
export const CREATED_TOKEN_FIELDS = [...TOKEN_FIELDS, 'token', 'confirmed_by'] as const satisfies FieldsOf<
	typeof createdTokenFields
>;
