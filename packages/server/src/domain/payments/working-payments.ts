import { type PaymentProviderName, WAITING_STATES } from '@bursar/contract/payments';
import type { Effect } from '../books.ts';
import type { Payment } from './payment.ts';

/** Payments during a batch: those that were loaded, and those that commands have written. */
export class WorkingPayments {
	/** By id. */
	readonly #payments = new Map<string, Payment>();
	readonly #written = new Set<string>();

	constructor(loaded: readonly Payment[]) {
		for (const payment of loaded) this.#payments.set(payment.id, payment);
	}

	find(reseller: string, id: string): Payment | undefined {
		const payment = this.#payments.get(id);
		return payment?.reseller === reseller ? payment : undefined;
	}

	ofObject(provider: PaymentProviderName, objectId: string): string | undefined {
		return this.#payments.values().find((each) => each.provider === provider && each.objectId === objectId)?.id;
	}

	countWaiting(reseller: string, sinceMs: number): number {
		const all = this.#payments.values().filter((each) => each.reseller === reseller && each.createdAtMs >= sinceMs);
		return [...all.filter(({ state }) => WAITING_STATES.includes(state))].length;
	}

	write({ payment, isNew }: Extract<Effect, { readonly kind: 'write_payment' }>): void {
		if (this.#payments.has(payment.id) === (isNew ?? false)) throw new Error('a payment is there, or is not');
		this.#payments.set(payment.id, payment);
		this.#written.add(payment.id);
	}

	/** The payments that were written, as they are now. */
	get written(): readonly Payment[] {
		return Array.from(this.#written, (id) => this.#payments.get(id) as Payment);
	}
}
