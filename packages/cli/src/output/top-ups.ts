import type { TopUp, TopUpCreation } from '@bursar/client';
import type { FieldsOf } from './fields.ts';

// What `--json` and CSV print of top-ups, with the field names of docs/api.md 14.2. Names of amounts say their unit.

export function topUpFields({ id, provider, state, url, expiresAt, dateCreated, changeId, ...cents }: TopUp) {
	return {
		...{ id, provider, state, amount_usd_cents: cents.amountCents, credited_usd_cents: cents.creditedCents },
		...{ refunded_usd_cents: cents.refundedCents, disputed_usd_cents: cents.disputedCents },
		...{ url: url ?? null, expires_at: expiresAt?.toISOString() ?? null },
		...{ timestamp: dateCreated.toISOString(), change_id: changeId ?? null },
	};
}
export const TOP_UP_FIELDS = [
	...(['id', 'provider', 'state', 'amount_usd_cents', 'credited_usd_cents'] as const),
	...(['refunded_usd_cents', 'disputed_usd_cents', 'url', 'expires_at', 'timestamp', 'change_id'] as const),
] as const satisfies FieldsOf<typeof topUpFields>;

export function begunTopUpFields({ topUp, confirmedBy }: TopUpCreation) {
	return { ...topUpFields(topUp), confirmed_by: confirmedBy };
}
export const BEGUN_TOP_UP_FIELDS = [...TOP_UP_FIELDS, 'confirmed_by'] as const satisfies FieldsOf<
	typeof begunTopUpFields
>;
