import { randomUUID } from 'node:crypto';
import type { Bank } from '../bank/bank.ts';
import type { ReadEnd, RecordPaymentRead } from '../commands/payments/record-read.ts';
import type { OutcomeOf, WithoutAct } from '../commands/registry.ts';
import type { Payment } from '../domain/payments/payment.ts';
import { type PaymentProvider, ProviderRefusedError } from './provider.ts';

/** @bound A call to a payment provider: after this time it has failed, and the payment is read again later. */
export const CALL_MS = 20_000;

export interface ReadingParts {
	readonly bank: Pick<Bank, 'submit'>;
	readonly provider: PaymentProvider;
	/** Ends the calls that are under way. */
	readonly stopping: AbortSignal;
	/** Called for each read, once it is recorded or could not be. */
	readonly ended: (read: EndedRead) => void;
}

/** A read that has ended, and what was recorded of it. */
export interface EndedRead {
	/** As it was when the read began. */
	readonly payment: Payment;
	readonly end: ReadEnd;
	/** Why it failed or was refused. It has no secret. */
	readonly cause?: unknown;
	readonly outcome: ReadOutcome;
}

type ReadOutcome = OutcomeOf<WithoutAct<RecordPaymentRead>>;

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
	let end: ReadEnd;
	let failure: unknown;
	try {
		end = await ask();
	} catch (cause) {
		failure = cause;
		end = { kind: cause instanceof ProviderRefusedError ? 'refused' : 'failed' };
	}
	const outcome = await bank.submit({
		...{ kind: 'record_payment_read', reseller: payment.reseller, requestId: randomUUID() },
		...{ payment, end },
	});
	ended({ payment, end, cause: failure, outcome });
	return outcome;
}
