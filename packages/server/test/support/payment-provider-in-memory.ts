import { createHmac } from 'node:crypto';
import type { PaymentProviderName } from '@bursar/contract/payments';
import type { PaymentReading } from '../../src/domain/payments/reading.ts';
import {
	ForgedHintError,
	type NewPayment,
	type PaymentNames,
	type PaymentProvider,
	ProviderRefusedError,
	type ReadObject,
} from '../../src/payments/provider.ts';

const SIGNATURE_HEADER = 'x-signature';
/** What a browser would open. */
const PAGE_URL = 'https://pay.example';

/** A payment provider in memory. Tests change its objects, and how it answers. */
export interface ProviderInMemory extends PaymentProvider {
	/** What calls do: answer, or throw as if the provider could not be reached. */
	isAway: boolean;
	/** Whether `create` makes its object, and then throws. */
	losesCreates: boolean;
	/** Whether `create` throws `ProviderRefusedError`, and makes nothing. */
	refuses: boolean;
	/** What each answer waits for. It says what held when it was asked for. A call that is aborted waits no longer. */
	slow: Promise<unknown> | undefined;
	/** Whether `listChanged` throws after its first part. */
	breaksLists: boolean;
	/** All calls so far, like `read obj_1`. */
	readonly calls: readonly string[];
	/** Calls that are under way. */
	readonly underWay: number;
	/** The id of the object of this payment. Throws if it has none. */
	objectOf(paymentId: string): string;
	/** Changes what the provider says of the object of this payment. */
	change(paymentId: string, changes: Partial<PaymentReading>): void;
	/** It is paid, in full if no amount is given, in USD cents. */
	pay(paymentId: string, cents?: number): void;
	/** What was refunded, or is disputed, in all, in USD cents. */
	refund(paymentId: string, cents: number): void;
	dispute(paymentId: string, cents: number): void;
	expire(paymentId: string): void;
	/** Forgets the object. */
	remove(paymentId: string): void;
	/** A signed hint. `body`: other bytes that say the same. */
	hint(
		names: readonly PaymentNames[],
		body?: Buffer,
	): { readonly body: Buffer; readonly headers: Readonly<Record<string, string>> };
}

interface MemoryOptions {
	readonly name?: PaymentProviderName;
	readonly isLive?: boolean;
	readonly secret?: string;
	/** When objects change. Default: now. */
	readonly nowMs?: () => number;
}

export function createProviderInMemory({
	name = 'stripe',
	isLive = true,
	secret = 'hint secret',
	nowMs = Date.now,
}: MemoryOptions = {}): ProviderInMemory {
	const objects = new Map<string, PaymentReading & { readonly amountCents: number; readonly changedAtMs: number }>();
	const calls: string[] = [];
	let underWay = 0;

	async function call<T>(what: string, signal: AbortSignal, answer: () => T): Promise<T> {
		calls.push(what);
		underWay++;
		try {
			signal.throwIfAborted();
			if (provider.isAway) throw new Error('the provider cannot be reached');
			const answered = answer();
			if (provider.slow) await Promise.race([provider.slow, aborted(signal)]);
			return answered;
		} finally {
			underWay--;
		}
	}

	function make({ id, amountCents }: NewPayment): ReadObject {
		if (provider.refuses) throw new ProviderRefusedError('the amount is too small');
		const objectId = `obj_${id}`;
		const reading: PaymentReading = {
			...{ paymentId: id, isLive, currency: 'usd', state: 'open', settledCents: 0, refundedCents: 0, disputedCents: 0 },
			...{ isLate: false, intentId: `int_${id}`, pageUrl: `${PAGE_URL}/${objectId}`, expiresAtMs: nowMs() + 3_600_000 },
		};
		objects.set(objectId, { ...reading, amountCents, changedAtMs: nowMs() });
		if (provider.losesCreates) throw new Error('the answer was lost');
		return { objectId, reading };
	}

	function read(objectId: string): PaymentReading | undefined {
		const object = objects.get(objectId);
		if (!object) return undefined;
		const { amountCents: _, changedAtMs: __, ...reading } = object;
		return reading;
	}

	function sign(body: Buffer): string {
		return createHmac('sha256', secret).update(body).digest('hex');
	}

	const provider: ProviderInMemory = {
		name,
		isLive,
		isAway: false,
		losesCreates: false,
		refuses: false,
		breaksLists: false,
		slow: undefined,
		calls,
		get underWay() {
			return underWay;
		},
		create: (payment, signal) => call(`create ${payment.id}`, signal, () => make(payment)),
		find: ({ id }, signal) =>
			call(`find ${id}`, signal, () => objects.entries().find(([, object]) => object.paymentId === id)?.[0]),
		read: (objectId, signal) => call(`read ${objectId}`, signal, () => read(objectId)),
		readHint(body, headers) {
			if (headers[SIGNATURE_HEADER] !== sign(body)) throw new ForgedHintError('the signature is wrong');
			return JSON.parse(body.toString());
		},
		async *listChanged(sinceMs, signal) {
			const changed = await call(`list ${sinceMs}`, signal, () =>
				objects.entries().filter(([, each]) => each.changedAtMs >= sinceMs),
			);
			for (const [objectId] of changed) {
				yield [{ objectIds: [objectId] }];
				if (provider.breaksLists) throw new Error('the list broke');
			}
		},
		check: (signal) => call('check', signal, () => {}),
		objectOf(paymentId) {
			const found = objects.entries().find(([, object]) => object.paymentId === paymentId);
			if (!found) throw new Error(`no object of ${paymentId}`);
			return found[0];
		},
		change(paymentId, changes) {
			const objectId = provider.objectOf(paymentId);
			const object = objects.get(objectId);
			if (object) objects.set(objectId, { ...object, ...changes, changedAtMs: nowMs() });
		},
		pay(paymentId, cents = objects.get(provider.objectOf(paymentId))?.amountCents ?? 0) {
			provider.change(paymentId, { state: 'settled', settledCents: cents, pageUrl: undefined });
		},
		refund: (paymentId, refundedCents) => provider.change(paymentId, { refundedCents }),
		dispute: (paymentId, disputedCents) => provider.change(paymentId, { disputedCents }),
		expire: (paymentId) => provider.change(paymentId, { state: 'expired', pageUrl: undefined }),
		remove: (paymentId) => void objects.delete(provider.objectOf(paymentId)),
		hint: (names, body = Buffer.from(JSON.stringify(names))) => ({
			body,
			headers: { [SIGNATURE_HEADER]: sign(body) },
		}),
	};
	return provider;
}

function aborted(signal: AbortSignal): Promise<never> {
	return new Promise((_, reject) => {
		signal.addEventListener('abort', () => reject(signal.reason), { once: true });
	});
}

/** The calls that may have made an object. */
export function createsOf({ calls }: ProviderInMemory): readonly string[] {
	return calls.filter((call) => call.startsWith('create '));
}
