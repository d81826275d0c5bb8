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

export function accountFields({ username, balanceCents, proxyAuthkey, dateCreated }: Account) {
	return {
		username,
		balance_usd_cents: balanceCents,
		proxy_authkey: proxyAuthkey,
		date_created: dateCreated.toISOString(),
	};
}

export function creationFields({ subUser, created, fee, confirmedBy }: Creation) {
	return { ...accountFields(subUser), created, fee: feeFields(fee), confirmed_by: confirmedBy };
}

export function authKeyFields({ username, proxyAuthkey, confirmedBy }: ReplacedAuthKey) {
	return { username, proxy_authkey: proxyAuthkey, confirmed_by: confirmedBy };
}

export function transferFields({ username, balanceCents, confirmedBy }: Transfer) {
	return { username, balance_usd_cents: balanceCents, confirmed_by: confirmedBy };
}

export function usageFields({ day, bytesUp, bytesDown }: DailyUsage) {
	return { bandwidth: { up: bytesUp, down: bytesDown }, timestamp: day.toISOString() };
}

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

/** What is known about a change whose outcome is unknown. */
export function knownFields(known: UnknownOutcome) {
	const { operation, username, changeId, amountCents, balanceBeforeCents, balanceAfterCents, expires } = known;
	return {
		operation,
		username,
		...(changeId !== undefined && { change_id: changeId }),
		...(amountCents !== undefined && { amount_usd_cents: amountCents }),
		...(balanceBeforeCents !== undefined && { balance_before_usd_cents: balanceBeforeCents }),
		...(balanceAfterCents !== undefined && { balance_after_usd_cents: balanceAfterCents }),
		...(expires !== undefined && { expires }),
	};
}
