import type { EventData, EventType, ResellerEvent } from '@bursar/client';
import type { FieldsOf } from './fields.ts';
import { limitFields } from './sub-user-terms.ts';

// What `--json` prints of an event, with the field names of docs/api.md 12. Names of amounts end in `_cents`.

export function eventFields({ id, number, type, at, username, data, requestId, changeId, next }: ResellerEvent) {
	return {
		id,
		number,
		type,
		at: at.toISOString(),
		username: username ?? null,
		data: dataFields(type, data),
		request_id: requestId ?? null,
		change_id: changeId ?? null,
		next,
	};
}
export const EVENT_FIELDS = [
	...(['number', 'id', 'type', 'at', 'username'] as const),
	...(['data', 'request_id', 'change_id', 'next'] as const),
] as const satisfies FieldsOf<typeof eventFields>;

/** Of a type that only a newer service knows, the data as it came. */
function dataFields<Type extends EventType>(type: Type, data: EventData[Type]): object {
	return Object.hasOwn(DATA_FIELDS, type) ? DATA_FIELDS[type](data) : data;
}

const none = () => ({});

const DATA_FIELDS: { readonly [Type in EventType]: (data: EventData[Type]) => object } = {
	'sub_user.created': ({ isUsable, reason }) => ({ usable: isUsable, reason: reason ?? null }),
	'sub_user.suspended': none,
	'sub_user.resumed': none,
	'sub_user.limits_set': ({ limits }) => ({ limits: limitFields(limits) }),
	'sub_user.key_reset': none,
	'sub_user.deleted': ({ returnedCents }) => ({ amount_usd_cents: returnedCents }),
	'sub_user.unusable': ({ reason }) => ({ reason }),
	'sub_user.usable': none,
	'reseller.credited': ({ amountCents, balanceCents, reference, payment }) => {
		const cents = { amount_usd_cents: amountCents, balance_usd_cents: balanceCents };
		return { ...cents, reference, payment: payment ?? null };
	},
	'reseller.balance_low': ({ balanceCents, thresholdCents }) => {
		return { balance_usd_cents: balanceCents, threshold_usd_cents: thresholdCents };
	},
	'reseller.debt': ({ state, debtCents, lineCents }) => {
		return { state, debt_usd_cents: debtCents, line_usd_cents: lineCents };
	},
	'reseller.suspended': none,
	'reseller.resumed': none,
	'token.rotated': ({ change, tokenTail, madeBy, previousExpiresAt }) => {
		const previous_expires_at = previousExpiresAt.toISOString();
		return { change, token_tail: tokenTail, made_by: madeBy, previous_expires_at };
	},
};
