import type { PaymentFinding, PaymentProviderName, PaymentState } from '@bursar/contract/payments';
import type { PaymentReading } from './reading.ts';

/** A payment through a provider. All amounts are USD cents. */
export interface Payment {
	/** It goes to the provider as metadata: so each of them finds the other's. */
	readonly id: string;
	readonly reseller: string;
	readonly provider: PaymentProviderName;
	/** Whether it moves real money. */
	readonly isLive: boolean;
	/** What was asked for. */
	readonly amountCents: number;
	/** Unix milliseconds, as all times. */
	readonly createdAtMs: number;
	/** The reseller's own name for the change that made it. */
	readonly changeId: string | null;
	/** The id of the object at the provider; `null` while none is known. */
	readonly objectId: string | null;
	/** What hints may also name it by. */
	readonly intentId: string | null;
	readonly state: PaymentState;
	/** As the provider said it last: what arrived, went back, and is disputed. */
	readonly settledCents: number;
	readonly refundedCents: number;
	readonly disputedCents: number;
	/** What the ledger has of it: the sum of its postings. */
	readonly bookedCents: number;
	/** How many postings there were. */
	readonly postings: number;
	readonly findings: readonly PaymentFinding[];
	/** Where it can be paid; `null` if it cannot be paid. */
	readonly pageUrl: string | null;
	readonly expiresAtMs: number | null;
	/** When the provider answered last; `null` if never. */
	readonly readAtMs: number | null;
	/** Reads that have failed since then. */
	readonly failedReads: number;
	/**
	 * When it is to be read again; `null`: only if it is asked for. While a read is under way, this is the end of its lease, and
	 * a time before that says that another read was asked for meanwhile.
	 */
	readonly nextReadAtMs: number | null;
	/** Reads are counted when they begin. What one finds counts only if no later one has been recorded. */
	readonly readsBegun: number;
	/** The number of the last read that was recorded; 0 if none was. */
	readonly lastRead: number;
}

/** An object of a provider. */
export type ObjectName = Pick<Payment, 'provider'> & { readonly objectId: string };

/** A new payment. Its first read is the call that makes its object. */
export function newPayment(
	made: Pick<Payment, 'id' | 'reseller' | 'provider' | 'isLive' | 'amountCents' | 'createdAtMs' | 'changeId'>,
	leaseUntilMs: number,
): Payment {
	return {
		...made,
		...{ objectId: null, intentId: null, state: 'creating', pageUrl: null, expiresAtMs: null },
		...{ settledCents: 0, refundedCents: 0, disputedCents: 0, bookedCents: 0, postings: 0, findings: [] },
		...{ readAtMs: null, failedReads: 0, nextReadAtMs: leaseUntilMs, readsBegun: 1, lastRead: 0 },
	};
}

/** What the ledger should have of a payment: what arrived, less what went back or is disputed. Never below zero. */
export function targetCents({ settledCents, refundedCents, disputedCents }: Payment): number {
	return Math.max(0, settledCents - refundedCents - disputedCents);
}

/** The reference of the posting that follows in the ledger. */
export function nextReference({ provider, objectId, postings }: Payment): string {
	return `${provider}:${objectId}:${postings + 1}`;
}

/**
 * Puts what the provider says into a payment. What is not of this payment, not in USD, or not of the payment's mode changes
 * no amount. `isElsewhere`: whether another payment has this object.
 */
export function withReading(
	payment: Payment,
	{
		objectId,
		reading,
		isElsewhere,
	}: { readonly objectId: string; readonly reading: PaymentReading; readonly isElsewhere: boolean },
	nowMs: number,
): Payment {
	const isOther = isElsewhere || reading.paymentId !== payment.id || (payment.objectId ?? objectId) !== objectId;
	const read = { ...payment, readAtMs: nowMs, failedReads: 0 };
	// An object of something else says nothing about this payment.
	if (isOther) return { ...read, findings: ['other_payment'] };
	const found: Payment = {
		...read,
		objectId,
		intentId: reading.intentId ?? payment.intentId,
		state: reading.state,
		pageUrl: reading.pageUrl ?? null,
		expiresAtMs: reading.expiresAtMs ?? payment.expiresAtMs,
	};
	if (reading.isLive !== payment.isLive) return { ...found, findings: ['other_mode'] };
	if (reading.currency !== 'usd') return { ...found, findings: ['other_currency'] };
	const { settledCents, refundedCents, disputedCents } = reading;
	for (const cents of [settledCents, refundedCents, disputedCents]) {
		if (!Number.isSafeInteger(cents) || cents < 0) throw new Error('a reading has an amount that is none');
	}
	const amounts = { ...found, settledCents, refundedCents, disputedCents };
	return { ...amounts, findings: findingsOf(amounts, reading) };
}

function findingsOf(payment: Payment, { isLate }: PaymentReading): readonly PaymentFinding[] {
	const { settledCents, amountCents, state } = payment;
	const isOver = state === 'settled' || state === 'expired';
	const findings: readonly (readonly [PaymentFinding, boolean])[] = [
		['underpaid', isOver && settledCents > 0 && settledCents < amountCents],
		['overpaid', settledCents > amountCents],
		['paid_late', isLate && settledCents > 0],
		['returned_too_much', payment.refundedCents + payment.disputedCents > settledCents],
	];
	return findings.flatMap(([finding, holds]) => (holds ? finding : []));
}

/** The provider has no object for a payment: it was never made, if that has been so for long enough. */
export function withoutObject(payment: Payment, nowMs: number): Payment {
	const read = { ...payment, readAtMs: nowMs, failedReads: 0 };
	if (payment.objectId !== null) return { ...read, findings: ['not_found'] };
	return nowMs - payment.createdAtMs < GIVE_UP_MS ? read : { ...read, state: 'not_made' };
}

/** A create whose answer was lost can still arrive at the provider, but not so late. */
const GIVE_UP_MS = 3_600_000;
