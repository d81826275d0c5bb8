import type { Logger } from 'pino';
import { nextReference } from '../domain/payments/payment.ts';
import { createOutageLog } from '../outage-log.ts';
import type { PaymentProvider } from './provider.ts';
import type { EndedRead } from './read-payment.ts';

/** Logs what becomes of payments through one provider. */
export interface PaymentLog {
	read(ended: EndedRead): void;
	swept(result: 'done' | 'failed', cause?: unknown): void;
	/** A hint was not signed. */
	forged(cause: unknown): void;
	/** The service itself could not go on. */
	failed(cause: unknown): void;
}

/** No line has a secret: no cause that a provider gives has one. */
export function createPaymentLog(logger: Logger, { name: provider }: Pick<PaymentProvider, 'name'>): PaymentLog {
	const away = createOutageLog({
		failing: (fields) =>
			logger.warn({ ...fields, provider }, 'the payment provider could not be asked, which is tried again'),
		over: () => logger.warn({ provider }, 'the payment provider can be asked again'),
	});
	const unlisted = createOutageLog({
		failing: (fields) =>
			logger.warn({ ...fields, provider }, 'the payment provider did not list what has changed, which is tried again'),
		over: () => logger.warn({ provider }, 'the payment provider has listed what has changed again'),
	});
	const refused = createOutageLog({
		failing: (fields) => logger.warn({ ...fields, provider }, 'the payment provider refused to make a payment'),
		over: () => logger.info({ provider }, 'for ten seconds, the payment provider has refused no payment'),
		isOverWhenQuiet: true,
	});
	const forged = createOutageLog({
		failing: (fields) =>
			logger.warn({ ...fields, provider }, 'hints were refused: the payment provider did not sign them'),
		over: () => logger.info({ provider }, 'for ten seconds, no hint was refused'),
		isOverWhenQuiet: true,
	});
	const own = createOutageLog({
		failing: (fields) => logger.error({ ...fields, provider }, 'payments could not be read, which is tried again'),
		over: () => logger.warn({ provider }, 'for ten seconds, payments could be read'),
		isOverWhenQuiet: true,
	});

	function logRecorded({ payment: before, outcome }: EndedRead): void {
		if (!outcome.ok) {
			own.failed(new Error(`what was read of a payment was not recorded: ${outcome.error}`));
			return;
		}
		const { payment, bookedCents } = outcome;
		const { id, reseller, postings, findings } = payment;
		const about = { payment: id, reseller, provider };
		if (bookedCents !== 0) {
			const reference = nextReference({ ...payment, postings: postings - 1 });
			logger.info({ ...about, cents: bookedCents, reference }, 'a payment was booked');
		}
		for (const finding of findings) {
			if (!before.findings.includes(finding))
				logger.warn({ ...about, finding }, 'something about a payment does not fit');
		}
	}

	return {
		read(ended) {
			if (ended.end.kind === 'failed') away.failed(ended.cause);
			else if (ended.end.kind === 'refused') refused.failed(ended.cause);
			else away.over();
			logRecorded(ended);
		},
		swept(result, cause) {
			if (result === 'failed') unlisted.failed(cause);
			else unlisted.over();
		},
		forged: forged.failed,
		failed: own.failed,
	};
}
