import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import {
	BTCPAY_KEY,
	BTCPAY_STORE,
	BTCPAY_WEBHOOK_SECRET,
	type BtcpayInvoice,
	startBtcpay,
} from '@bursar/testing/payment-providers/btcpay';
import type { Hint, ProviderServer } from '@bursar/testing/payment-providers/provider-server';
import {
	STRIPE_KEY,
	STRIPE_WEBHOOK_SECRET,
	type StripeReturn,
	type StripeSession,
	startStripe,
} from '@bursar/testing/payment-providers/stripe';
import type { Random } from '@bursar/testing/random';

/** No log may have one of these. */
export const PROVIDER_SECRETS = [STRIPE_KEY, STRIPE_WEBHOOK_SECRET, BTCPAY_KEY, BTCPAY_WEBHOOK_SECRET];

/** Two payment providers, whose payers do what payers do, and whose hints are lost, doubled and reordered. */
export async function startPayers(t: TestContext, random: Random) {
	const stripe = await startStripe(t);
	const btcpay = await startBtcpay(t);
	const providers = { stripe, btcpay };
	stripe.hintDelivery = 'kept';
	btcpay.hintDelivery = 'kept';
	const returns: StripeReturn[] = [];
	/** What arrived of each invoice in the end, in cents. */
	const arrived = new Map<string, number>();
	const fates: Promise<void>[] = [];
	/** Hints that are on their way. */
	const waiting: { readonly name: keyof typeof providers; readonly hint: Hint }[] = [];
	let taken = 0;
	let isOver = false;
	// Also if the test has failed.
	t.after(() => {
		isOver = true;
	});

	const percent = (share: number) => random.below(100) < share;
	const pause = () => setTimeout(random.below(200));

	async function payThroughStripe(session: StripeSession): Promise<void> {
		await pause();
		if (percent(5)) return stripe.expire(session);
		if (percent(5)) return;
		if (percent(10)) {
			await stripe.payAsync(session);
			await pause();
			if (percent(30)) return stripe.fail(session);
			await stripe.settle(session);
		} else await stripe.pay(session);
		if (percent(10)) await refund(session);
		if (percent(10)) await dispute(session);
	}

	async function refund(session: StripeSession): Promise<void> {
		const parts = 1 + random.below(2);
		for (let part = 0; part < parts; part++) {
			await pause();
			const status = percent(50) ? 'pending' : 'succeeded';
			const made = await stripe.refund(session, 1 + random.below(session.amount_total / 2), { status });
			returns.push(made);
			await pause();
			if (percent(20)) await stripe.change(made, 'failed');
		}
	}

	async function dispute(session: StripeSession): Promise<void> {
		await pause();
		const made = await stripe.dispute(session, session.amount_total);
		returns.push(made);
		await pause();
		if (percent(70)) await stripe.change(made, percent(50) ? 'won' : 'lost');
	}

	async function payThroughBtcpay(invoice: BtcpayInvoice): Promise<void> {
		const cents = Math.round(Number(invoice.amount) * 100);
		const part = 1 + random.below(cents - 1);
		await pause();
		if (percent(5)) return btcpay.expire(invoice);
		if (percent(10)) {
			await btcpay.payLate(invoice);
			await pause();
			arrived.set(invoice.id, cents);
			return btcpay.confirmPayments(invoice);
		}
		if (percent(10)) {
			await btcpay.pay(invoice, { cents: part });
			await btcpay.expire(invoice);
			await pause();
			arrived.set(invoice.id, part);
			return btcpay.confirmPayments(invoice);
		}
		const paid = percent(10) ? cents + part : cents;
		await btcpay.pay(invoice, { cents: paid });
		await pause();
		if (percent(5)) return btcpay.invalidate(invoice);
		arrived.set(invoice.id, paid);
		await btcpay.settle(invoice);
	}

	/** Each object has its fate once it is there. */
	async function pay(): Promise<void> {
		const seen = { stripe: 0, btcpay: 0 };
		const look = () => {
			fates.push(...[...stripe.sessions.values()].slice(seen.stripe).map(payThroughStripe));
			fates.push(...[...btcpay.invoices.values()].slice(seen.btcpay).map(payThroughBtcpay));
			seen.stripe = stripe.sessions.size;
			seen.btcpay = btcpay.invoices.size;
		};
		for (; !isOver; await setTimeout(10)) look();
		look();
	}

	/** A quarter of the hints is lost, and a quarter comes twice. What no service takes, because it was killed, comes again. */
	async function sendHints(urls: () => readonly string[]): Promise<void> {
		const seen = { stripe: 0, btcpay: 0 };
		while (!isOver) {
			for (const name of ['stripe', 'btcpay'] as const) {
				for (const hint of providers[name].hints.slice(seen[name])) {
					for (let copy = random.below(4); copy > 0; copy -= 2) waiting.push({ name, hint });
				}
				seen[name] = providers[name].hints.length;
			}
			const [next] = waiting.splice(random.below(waiting.length), 1);
			const url = urls()[random.below(urls().length)];
			if (next && url !== undefined) {
				const provider: ProviderServer = providers[next.name];
				provider.hintsUrl = `${url}/payments/hints/${next.name}`;
				if ((await provider.send(next.hint)) === 200) {
					taken++;
					continue;
				}
				waiting.push(next);
			}
			await setTimeout(10);
		}
	}

	/** What should be booked of a session, in cents. */
	function targetOfSession({ payment_intent: id }: StripeSession): number {
		const intent = stripe.intents.get(id ?? '');
		const counts = ({ object, status }: StripeReturn) =>
			object === 'refund' ? status !== 'failed' : status === 'needs_response' || status === 'lost';
		const back = returns.filter((entry) => entry.payment_intent === id && counts(entry));
		return Math.max(0, (intent?.amount_received ?? 0) - back.reduce((sum, { amount }) => sum + amount, 0));
	}

	const countCreates = () => [...stripe.requests, ...btcpay.requests].filter(({ method }) => method === 'POST').length;
	let releaseHeld = () => {};
	let createsBefore = 0;

	return {
		...providers,
		/** The settings of a service that takes payments here. */
		environment: {
			BURSAR_STRIPE_URL: stripe.url,
			BURSAR_STRIPE_KEY: STRIPE_KEY,
			BURSAR_STRIPE_WEBHOOK_SECRET: STRIPE_WEBHOOK_SECRET,
			BURSAR_BTCPAY_URL: btcpay.url,
			BURSAR_BTCPAY_STORE: BTCPAY_STORE,
			BURSAR_BTCPAY_KEY: BTCPAY_KEY,
			BURSAR_BTCPAY_WEBHOOK_SECRET: BTCPAY_WEBHOOK_SECRET,
		},
		/** Payers pay, and hints go to any of these addresses. Ends them when it is called: then nothing changes any more. */
		start(urls: () => readonly string[]): () => Promise<void> {
			const work = Promise.all([pay(), sendHints(urls)]);
			return async () => {
				isOver = true;
				await work;
				await Promise.all(fates);
			};
		},
		/**
		 * Begins the faults of a round, or ends all of them. Each third round, objects are made only when the function that it returns
		 * is called: so a service that is dead by then has never heard of them.
		 */
		fail(round: number | undefined): () => void {
			releaseHeld();
			const isWrong = round !== undefined;
			const { promise, resolve } = Promise.withResolvers<void>();
			releaseHeld = resolve;
			createsBefore = countCreates();
			stripe.faults.isAway = isWrong && round % 7 === 3;
			btcpay.faults.refusal = isWrong && round % 7 === 5 ? 503 : undefined;
			for (const { faults } of [stripe, btcpay]) {
				Object.assign(faults, { lostCreates: isWrong ? 1 : 0, lostReads: isWrong ? 2 : 0 });
				faults.held = isWrong && round % 3 === 0 ? promise : undefined;
			}
			return () => {
				for (const { faults } of [stripe, btcpay]) faults.held = undefined;
				resolve();
			};
		},
		/** Whether an object is held that a service waits for. */
		isHolding: () => stripe.faults.held !== undefined && countCreates() > createsBefore,
		/** How many hints were taken, and how many are on their way. */
		hints: () => ({ taken, waiting: waiting.length }),
		/** What should be booked in the end, in cents, by the id of the payment. What is not here was never made. */
		targets(): ReadonlyMap<string, number> {
			return new Map([
				...[...stripe.sessions.values()].map(
					(session) => [session.client_reference_id ?? '', targetOfSession(session)] as const,
				),
				...[...btcpay.invoices.values()].map(
					({ id, metadata }) => [String(metadata.orderId), arrived.get(id) ?? 0] as const,
				),
			]);
		},
	};
}

export type Payers = Awaited<ReturnType<typeof startPayers>>;
