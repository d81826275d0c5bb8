import { randomUUID } from 'node:crypto';
import type { Bank } from '../bank/bank.ts';
import type { ReadEnd } from '../commands/payments/record-read.ts';
import type { OutcomeOf } from '../commands/registry.ts';
import type { Payment } from '../domain/payments/payment.ts';
import type { PaymentProvider } from './provider.ts';

/** @bound A call to a payment provider: after this time it has failed, and the payment is read again later. */
const CALL_MS = 20_000;

export interface ReadingParts {
	readonly bank: Pick<Bank, 'submit'>;
	readonly provider: PaymentProvider;
	/** Ends the calls that are under way. */
	readonly stopping: AbortSignal;
	/** Called with how each read ended. A cause has no secret. */
	readonly ended: (payment: Payment, end: ReadEnd, cause?: unknown) => void;
}

/** How the service itself changes payments. */
type ReadOutcome = OutcomeOf<Extract<Parameters<Bank['submit']>[0], { readonly kind: 'record_payment_read' }>>;

/** Reads a payment, whose read has begun, at its provider, and books what is not booked yet. Never rejects. */
export async function readPayment(parts: ReadingParts, payment: Payment): Promise<ReadOutcome> {
	const { provider, stopping } = parts;
	return recordRead(parts, payment, async () => {
		const signal = AbortSignal.any([stopping, AbortSignal.timeout(CALL_MS)]);
		const objectId = payment.objectId ?? (await provider.find(payment, signal));
		const reading = objectId === undefined ? undefined : await provider.read(objectId, signal);
		return objectId === undefined || !reading ? { kind: 'absent' } : { kind: 'found', objectId, reading };
	});
}

/** Asks the provider, and records what it says. A read that fails is recorded too. Never rejects. */
export async function recordRead(
	{ bank, ended }: Pick<ReadingParts, 'bank' | 'ended'>,
	payment: Payment,
	ask: () => Promise<ReadEnd>,
): Promise<ReadOutcome> {
	let end: ReadEnd = { kind: 'failed' };
	let failure: unknown;
	try {
		end = await ask();
	} catch (cause) {
		failure = cause;
	}
	ended(payment, end, failure);
	return bank.submit({
		...{ kind: 'record_payment_read', reseller: payment.reseller, requestId: randomUUID() },
		...{ payment, end },
	});
}
