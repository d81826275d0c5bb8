import type { PaymentFinding } from '@bursar/contract/payments';
import type { Books, Effect } from '../../domain/books.ts';
import { nextReadOf } from '../../domain/payments/next-read.ts';
import { nextReference, type Payment, targetCents, withoutObject, withReading } from '../../domain/payments/payment.ts';
import type { PaymentReading } from '../../domain/payments/reading.ts';
import type { AccountCommand } from '../command.ts';
import { credited } from '../money/credited.ts';
import { refused, type Verb } from '../verb.ts';

/** How a read of a payment ended. */
export type ReadEnd =
	| { readonly kind: 'found'; readonly objectId: string; readonly reading: PaymentReading }
	/** The provider has no object for it. */
	| { readonly kind: 'absent' }
	/** The provider has certainly not made its object. Only of the first read. */
	| { readonly kind: 'refused' }
	/** The provider could not be asked, or answered strangely. */
	| { readonly kind: 'failed' };

export interface RecordPaymentRead extends AccountCommand {
	readonly kind: 'record_payment_read';
	/** As it was when the read began. */
	readonly payment: Pick<Payment, 'id' | 'provider' | 'readsBegun' | 'nextReadAtMs'>;
	readonly end: ReadEnd;
}

interface RecordedRead {
	readonly ok: true;
	readonly payment: Payment;
	/** What was booked, in USD cents: below zero if it was taken back. */
	readonly bookedCents: number;
}

/**
 * Records what a provider says of a payment, and books the difference to what was booked before, in one transaction. So
 * any order and any repetition of reads books each payment once.
 */
export const recordPaymentRead: Verb<RecordPaymentRead, RecordedRead, 'unknown_payment'> = {
	kind: 'record_payment_read',
	calls: [],
	giver: 'service',
	needs: ({ payment, end }) => ({
		payment: payment.id,
		...(end.kind === 'found' && { paymentObject: { provider: payment.provider, objectId: end.objectId } }),
	}),
	decide(books, command, nowMs) {
		const { reseller, payment: begun, end } = command;
		const before = books.payment(reseller, begun.id);
		if (!before) return refused('unknown_payment');
		// A later read knows more.
		if (begun.readsBegun <= before.lastRead)
			return { outcome: { ok: true, payment: before, bookedCents: 0 }, effects: [] };
		const read = afterRead(books, before, end, nowMs);
		const booking = book(books, command, { before, read }, nowMs);
		const leaseUntilMs = begun.nextReadAtMs;
		const isLeased = leaseUntilMs !== null && before.nextReadAtMs === leaseUntilMs && nowMs < leaseUntilMs;
		const payment: Payment = {
			...booking.payment,
			lastRead: end.kind === 'failed' ? before.lastRead : begun.readsBegun,
			// If somebody has asked for a read meanwhile, it is still to come. After the end of the lease, that leaves no trace.
			nextReadAtMs: isLeased ? nextReadOf(booking.payment, nowMs) : before.nextReadAtMs,
		};
		return {
			outcome: { ok: true, payment, bookedCents: payment.bookedCents - before.bookedCents },
			effects: [...booking.effects, { kind: 'write_payment', payment }],
		};
	},
};

function afterRead(books: Books, payment: Payment, end: ReadEnd, nowMs: number): Payment {
	switch (end.kind) {
		case 'found': {
			const owner = books.paymentOfObject(payment.provider, end.objectId);
			const isElsewhere = owner !== undefined && owner !== payment.id;
			return withReading(payment, { ...end, isElsewhere }, nowMs);
		}
		case 'absent':
			return withoutObject(payment, nowMs);
		case 'refused':
			return { ...payment, state: 'not_made', readAtMs: nowMs, failedReads: 0 };
		case 'failed':
			return { ...payment, failedReads: payment.failedReads + 1 };
	}
}

/** Books what is not booked yet of a payment, and says what does not fit about its reseller. */
function book(
	books: Books,
	command: RecordPaymentRead,
	{ before, read }: { readonly before: Payment; readonly read: Payment },
	nowMs: number,
): { readonly payment: Payment; readonly effects: readonly Effect[] } {
	const { reseller } = read;
	const account = books.account(reseller, reseller);
	if (!account) throw new Error('a payment is of a reseller that does not exist');
	const amountCents = targetCents(read) - read.bookedCents;
	const crediting = { amountCents, reference: nextReference(read), reason: '', payment: read.id };
	const done = amountCents === 0 ? undefined : credited(books, command, account, crediting, nowMs);
	const effects = done?.effects ?? [];
	const owes = effects.some((effect) => effect.kind === 'transfer' && effect.transfer.kind === 'refund_debt');
	const had = (finding: PaymentFinding) => before.findings.includes(finding);
	const about: readonly (readonly [PaymentFinding, boolean])[] = [
		['owed', owes || (had('owed') && books.debtOf(reseller).cents > 0)],
		['suspended', (done !== undefined || had('suspended')) && books.isSuspended(reseller)],
		['balance_limit', amountCents !== 0 && !done],
	];
	const findings = [...read.findings, ...about.flatMap(([finding, holds]) => (holds ? finding : []))];
	if (!done) return { payment: { ...read, findings }, effects };
	const { bookedCents, postings } = read;
	return {
		payment: { ...read, findings, bookedCents: bookedCents + amountCents, postings: postings + 1 },
		effects,
	};
}
