import type {
	Account,
	Creation,
	DailyUsage,
	FeeRange,
	RecordedChange,
	ReplacedAuthKey,
	Transfer,
	UnknownOutcome,
} from '@bursar/client';

// What `--json` and CSV print, with the field names of docs/api.md 6. Money is in USD cents, and its names say so.

/** Field names that a function returns, in the order in which they are listed. */
export type FieldsOf<Print extends (...args: never[]) => object> = readonly (keyof ReturnType<Print>)[];

export function accountFields({ username, balanceCents, proxyAuthkey, dateCreated }: Account) {
	return {
		username,
		balance_usd_cents: balanceCents,
		proxy_authkey: proxyAuthkey,
		date_created: dateCreated.toISOString(),
	};
}
export const ACCOUNT_FIELDS = [
	'username',
	'balance_usd_cents',
	'proxy_authkey',
	'date_created',
] as const satisfies FieldsOf<typeof accountFields>;

export function creationFields({ subUser, created, fee, confirmedBy }: Creation) {
	return { ...accountFields(subUser), created, fee: feeFields(fee), confirmed_by: confirmedBy };
}
export const CREATION_FIELDS = [...ACCOUNT_FIELDS, 'created', 'fee', 'confirmed_by'] as const satisfies FieldsOf<
	typeof creationFields
>;

export function authKeyFields({ username, proxyAuthkey, confirmedBy }: ReplacedAuthKey) {
	return { username, proxy_authkey: proxyAuthkey, confirmed_by: confirmedBy };
}
export const AUTH_KEY_FIELDS = ['username', 'proxy_authkey', 'confirmed_by'] as const satisfies FieldsOf<
	typeof authKeyFields
>;

export function transferFields({ username, balanceCents, confirmedBy }: Transfer) {
	return { username, balance_usd_cents: balanceCents, confirmed_by: confirmedBy };
}
export const TRANSFER_FIELDS = ['username', 'balance_usd_cents', 'confirmed_by'] as const satisfies FieldsOf<
	typeof transferFields
>;

export function usageFields({ day, bytesUp, bytesDown }: DailyUsage) {
	return { bandwidth: { up: bytesUp, down: bytesDown }, timestamp: day.toISOString() };
}
export const USAGE_FIELDS = ['bandwidth', 'timestamp'] as const satisfies FieldsOf<typeof usageFields>;

export interface FeeFields {
	readonly min_cents: number;
	readonly max_cents: number;
}

export function feeFields({ minCents, maxCents }: FeeRange): FeeFields {
	return { min_cents: minCents, max_cents: maxCents };
}

export function changeFields(change: RecordedChange) {
	const { changeId, operation, username, amountCents, balanceCents, error, doneAt, requestId } = change;
	return {
		change_id: changeId,
		operation,
		username: username ?? null,
		amount_usd_cents: amountCents ?? null,
		balance_usd_cents: balanceCents ?? null,
		error: error ?? null,
		timestamp: doneAt.toISOString(),
		request_id: requestId,
	};
}
export const CHANGE_FIELDS = [
	'change_id',
	'operation',
	'username',
	'amount_usd_cents',
	'balance_usd_cents',
	'error',
	'timestamp',
	'request_id',
] as const satisfies FieldsOf<typeof changeFields>;

/** What is known about a change whose outcome is unknown. */
export function knownFields({ operation, username, changeId, amountCents, expires }: UnknownOutcome) {
	return {
		operation,
		username,
		change_id: changeId,
		...(amountCents !== undefined && { amount_usd_cents: amountCents }),
		...(expires !== undefined && { expires }),
	};
}
