import type { EventData as SentData, EventType as SentType } from '@bursar/contract/events';
import { fieldsOf, isCount, isNullOr, isText, readDate, readEach } from './answers.ts';
import { readLimits } from './read-terms.ts';
import type { EventData, EventPage, ResellerEvent, SentEvent } from './reseller-events.ts';
import type { UnusableReason } from './sub-user-terms.ts';

// Reads answers as `answers.ts` does: each function returns `undefined` if the data has another shape.

export function readEventPage(data: unknown): EventPage | undefined {
	return readPage(data, readEvent);
}

/** The same page, with each event as it came. */
export function readSentEventPage(data: unknown) {
	return readPage(data, (item): SentEvent | undefined => {
		const { id, number, type, next } = readEvent(item) ?? {};
		if (id === undefined || number === undefined || type === undefined || next === undefined) return undefined;
		return { id, number, type, body: JSON.stringify(item), next };
	});
}

function readPage<Item>(data: unknown, readItem: (item: unknown) => Item | undefined) {
	const { events, next, more } = fieldsOf<{ events: unknown; next: unknown; more: unknown }>(data) ?? {};
	const items = readEach(events, readItem);
	return items && isText(next) && typeof more === 'boolean' ? { items, next, more } : undefined;
}

interface EventFields {
	readonly id: string;
	readonly number: number;
	readonly type: string;
	readonly at: string;
	readonly username?: string;
	readonly data: object;
	readonly request_id?: string;
	readonly change_id?: string;
}

/** An event of a page, or the body of a webhook. */
export function readEvent(item: unknown): ResellerEvent | undefined {
	const event = fieldsOf<EventFields>(item);
	const at = readDate(event?.at);
	const { id, number, type, username, request_id: requestId, change_id: changeId } = event ?? {};
	if (!isText(id) || !isCount(number) || !isText(type) || !at) return undefined;
	if (![username, requestId, changeId].every((text) => text === undefined || isText(text))) return undefined;
	if (type.startsWith('sub_user.') && username === undefined) return undefined;
	const data = readData(type, event?.data);
	if (data === undefined) return undefined;
	return { id, number, type, at, username, data, requestId, changeId, next: `${number}-${id}` } as ResellerEvent;
}

/** Of a type that only a newer service knows, the data as it came. */
function readData(type: string, data: unknown): object | undefined {
	const fields = fieldsOf<object>(data);
	if (fields === undefined) return undefined;
	return Object.hasOwn(READERS, type) ? READERS[type as SentType](fields) : fields;
}

const nothing = () => ({});

const READERS: {
	readonly [Type in SentType]: (data: Partial<Record<keyof SentData[Type], unknown>>) => EventData[Type] | undefined;
} = {
	'sub_user.created'({ usable, reason }) {
		if (typeof usable !== 'boolean' || !isNullOr(isText, reason)) return undefined;
		return { isUsable: usable, reason: (reason as UnusableReason | null) ?? undefined };
	},
	'sub_user.suspended': nothing,
	'sub_user.resumed': nothing,
	'sub_user.limits_set'(data) {
		const limits = readLimits(data.limits);
		return limits && { limits };
	},
	'sub_user.key_reset': nothing,
	'sub_user.deleted': ({ amount_usd_cents: cents }) => (isCount(cents) ? { returnedCents: cents } : undefined),
	'sub_user.unusable': ({ reason }) => (isText(reason) ? { reason: reason as UnusableReason } : undefined),
	'sub_user.usable': nothing,
	'reseller.credited'({ amount_usd_cents: amount, balance, reference, payment }) {
		if (!Number.isSafeInteger(amount) || !isCount(balance) || typeof reference !== 'string') return undefined;
		if (payment !== undefined && !isText(payment)) return undefined;
		return { amountCents: amount as number, balanceCents: balance, reference, payment };
	},
	'reseller.balance_low'({ balance, threshold }) {
		return isCount(balance) && isCount(threshold) ? { balanceCents: balance, thresholdCents: threshold } : undefined;
	},
	'reseller.debt'({ state, debt, line }) {
		if (!isText(state) || !isCount(debt) || !isCount(line)) return undefined;
		return { state: state as EventData['reseller.debt']['state'], debtCents: debt, lineCents: line };
	},
	'reseller.suspended': nothing,
	'reseller.resumed': nothing,
	'token.rotated'({ change, token_tail: tokenTail, made_by: madeBy, previous_expires_at: expires }) {
		const previousExpiresAt = readDate(expires);
		if (!isText(change) || !isText(tokenTail) || !isText(madeBy) || !previousExpiresAt) return undefined;
		return { change: change as EventData['token.rotated']['change'], tokenTail, madeBy, previousExpiresAt };
	},
};
