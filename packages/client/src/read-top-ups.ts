import type { TopUp as SentTopUp } from '@bursar/contract/payment-schemas';
import { fieldsOf, isCount, isNullOr, isText, readDate, readDateOrNull } from './answers.ts';
import { readPage } from './read-terms.ts';
import type { Page } from './resources/list.ts';
import type { NewTopUp, PaymentProvider, TopUp, TopUpState } from './top-ups.ts';

// Reads answers as `answers.ts` does: each function returns `undefined` if the data has another shape.

function readTopUp(data: unknown): TopUp | undefined {
	const sent = fieldsOf<SentTopUp>(data);
	const { id, provider, state, amount, credited, refunded, disputed, url, change_id: changeId } = sent ?? {};
	const expiresAt = readDateOrNull(sent?.expires_at);
	const dateCreated = readDate(sent?.timestamp);
	if (!isText(id) || !isText(provider) || !isText(state) || !isNullOr(isText, url) || !isNullOr(isText, changeId)) {
		return undefined;
	}
	if (!isCount(amount) || !isCount(credited) || !isCount(refunded) || !isCount(disputed)) return undefined;
	if (expiresAt === undefined || !dateCreated) return undefined;
	return {
		...{ id, provider: provider as PaymentProvider, state: state as TopUpState },
		...{ amountCents: amount, creditedCents: credited, refundedCents: refunded, disputedCents: disputed },
		...{ url: url ?? undefined, expiresAt: expiresAt ?? undefined, dateCreated, changeId: changeId ?? undefined },
	};
}

/** Reads an answer that must be about this payment: another one is not the answer to this request. */
export function readBegunTopUp({ provider, amountCents }: NewTopUp) {
	return (data: unknown): { topUp: TopUp } | undefined => {
		const topUp = readTopUp(data);
		return topUp?.provider === provider && topUp.amountCents === amountCents ? { topUp } : undefined;
	};
}

export function readTopUpPage(data: unknown): Page<TopUp> | undefined {
	return readPage(data, 'top_ups', readTopUp);
}
