import type { IncomingHttpHeaders } from 'node:http';
import type { PaymentProviderName } from '@bursar/contract/payments';
import type { PaymentReading } from '../domain/payments/reading.ts';

/** What is asked of a new object at the provider. */
export interface NewPayment {
	/** Goes to the provider as its metadata and, if it has such keys, as its idempotency key. */
	readonly id: string;
	readonly reseller: string;
	/** USD cents. */
	readonly amountCents: number;
	/** Where the payer's browser goes afterwards, whatever the outcome. It credits nothing. */
	readonly returnUrl: string;
}

/** An object of the provider, such as an invoice, and what holds of it. */
export interface ReadObject {
	readonly objectId: string;
	readonly reading: PaymentReading;
}

/** A hint, or an object that has changed: whatever names a payment. Names of others are not an error. */
export interface PaymentNames {
	/** Our own id, from the metadata. */
	readonly paymentId?: string | undefined;
	/** Ids of the provider: of the object itself, or of what it calls the money behind it (`intentId` of a reading). */
	readonly objectIds: readonly string[];
	/** All that it says about it, if that is all there is to know: a payment that is in this state is not read again. */
	readonly state?: PaymentReading['state'] | undefined;
}

/**
 * What the service asks of a payment provider. A further provider is one file that has these calls. Calls throw if the
 * provider cannot be asked or answers strangely; then nothing is known. No error has a secret.
 */
export interface PaymentProvider {
	readonly name: PaymentProviderName;
	/** Whether its payments move real money. */
	readonly isLive: boolean;
	/**
	 * Makes the object of a payment. It is called once for each payment. Throws `ProviderRefusedError` if the provider certainly
	 * made none; after any other error it may have made one.
	 */
	create(payment: NewPayment, signal: AbortSignal): Promise<ReadObject>;
	/** Finds the object of one of our payments by its id. `undefined` if the provider has none. */
	find(
		payment: { readonly id: string; readonly createdAtMs: number },
		signal: AbortSignal,
	): Promise<string | undefined>;
	/** Reads an object. `undefined` if the provider has no such object. */
	read(objectId: string, signal: AbortSignal): Promise<PaymentReading | undefined>;
	/**
	 * Verifies a hint: the raw body of a request and its headers. Returns what it names: nothing if it is about something else.
	 * Throws `ForgedHintError` if the signature is wrong or too old.
	 */
	readHint(body: Buffer, headers: IncomingHttpHeaders, nowMs: number): readonly PaymentNames[];
	/** What may have changed since a time, in Unix milliseconds: also refunds and disputes. In parts, as the provider lists it. */
	listChanged(sinceMs: number, signal: AbortSignal): AsyncIterable<readonly PaymentNames[]>;
	/** For `bursar doctor`: asks for each thing that the service needs, and changes nothing. Throws an error that says what is wrong. */
	check(signal: AbortSignal): Promise<void>;
}

/** The provider has certainly not made an object. The message has no secret, and is for people. */
export class ProviderRefusedError extends Error {
	override readonly name = 'ProviderRefusedError';
}

/** A hint that the provider has not signed, or not just now. */
export class ForgedHintError extends Error {
	override readonly name = 'ForgedHintError';
}
