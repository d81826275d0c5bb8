import { CREATE_FEE_CENTS } from '@bursar/contract/limits';
import type { PostUsage } from '../../commands/money/post-usage.ts';
import type { SetPrice } from '../../commands/money/set-price.ts';
import type { Command } from '../../commands/registry.ts';
import { newProxyAuthkey } from '../../credentials.ts';
import { UNITS_OF_CENT } from '../../domain/metering.ts';
import type { UsageReport } from '../../domain/usage.ts';

/** What a GB costs the demo reseller, in micro-dollars. */
export const DEMO_PRICE = 500_000;

const PAYMENT_CENTS = 250_00;
/** The reseller always keeps this much, so that no movement of the demo is refused. */
const RESERVE_CENTS = 40_00;
/** With a price, who has less than for these days gets balance for more days. */
const LOW_DAYS = 3;
const GIVEN_DAYS = 10;
/** The sub-user who gets nothing then, and so runs out. */
const FORGOTTEN = 'priya.n';

/** Who sends the commands, and what the ids of their requests begin with. */
export interface Sender {
	readonly reseller: string;
	readonly requestId: string;
}

/** Makes commands, and knows the balances that they lead to, so that none is refused. `random` returns 0 to 1. */
export function createDemoMoney({ reseller, requestId }: Sender, random: () => number) {
	/** USD cents, with fractions. */
	const balances = new Map<string, number>();
	/** What the last day with bandwidth costs at this price, in USD cents. */
	const dayCosts = new Map<string, number>();
	let ownCents = 0;
	let payments = 0;
	let requests = 0;
	/** Unix milliseconds. */
	let pricedSinceMs = Number.POSITIVE_INFINITY;

	/** Each movement is a request of its own. */
	const request = () => ({ reseller, requestId: `${requestId}-${requests++}` });
	const balanceOf = (username: string) => balances.get(username) ?? 0;

	function topUp(): Command {
		ownCents += PAYMENT_CENTS;
		payments++;
		const reference = `demo-invoice-${String(payments).padStart(3, '0')}`;
		return { kind: 'credit_reseller', ...request(), amountCents: PAYMENT_CENTS, reference, reason: 'Bank transfer' };
	}

	function create(username: string): Command {
		ownCents -= CREATE_FEE_CENTS;
		balances.set(username, 0);
		return { kind: 'create_sub_user', ...request(), username, proxyAuthkey: newProxyAuthkey() };
	}

	function give(username: string, amountCents = (2 + Math.floor(random() * 18)) * 50): Command {
		ownCents -= amountCents;
		balances.set(username, balanceOf(username) + amountCents);
		return { kind: 'give_balance', ...request(), username, amountCents };
	}

	function take(username: string): readonly Command[] {
		const amountCents = Math.floor((balanceOf(username) * random()) / 2);
		if (amountCents === 0) return [];
		ownCents += amountCents;
		balances.set(username, balanceOf(username) - amountCents);
		return [{ kind: 'take_balance', ...request(), username, amountCents }];
	}

	/** Gives balance to those who will soon have none. */
	function* giveToLow(): Generator<Command> {
		for (const [username, dayCents] of dayCosts) {
			if (username === FORGOTTEN || balanceOf(username) >= LOW_DAYS * dayCents) continue;
			const amountCents = Math.ceil((GIVEN_DAYS * dayCents) / 50) * 50;
			while (ownCents < amountCents + RESERVE_CENTS) yield topUp();
			yield give(username, amountCents);
		}
	}

	return {
		subUsers: () => [...balances.keys()],
		/** What happens in one hour, in which these sub-users join. */
		movements(joining: readonly string[]): Command[] {
			const commands: Command[] = [];
			if (ownCents < RESERVE_CENTS) commands.push(topUp());
			for (const username of joining) commands.push(create(username), give(username));
			const isPriced = pricedSinceMs < Number.POSITIVE_INFINITY;
			const known = [...balances.keys()].filter((username) => !isPriced || username !== FORGOTTEN);
			const anyone = () => known[Math.floor(random() * known.length)] as string;
			if (ownCents > RESERVE_CENTS / 2) commands.push(give(anyone()));
			if (random() < 0.2) commands.push(...take(anyone()));
			if (isPriced) commands.push(...giveToLow());
			return commands;
		},
		setPrice(atMs: number): SetPrice {
			pricedSinceMs = atMs;
			return { kind: 'set_price', ...request(), microUsdPerGb: DEMO_PRICE };
		},
		/** Posts what is due. */
		postUsage(): PostUsage {
			return { kind: 'post_usage', ...request(), usernames: [...balances.keys()] };
		},
		/** Pays for the bandwidth of a day. Returns whether the sub-user could use the proxy. */
		pay({ username, atMs, bytesUp, bytesDown }: UsageReport): boolean {
			const cents = ((bytesUp + bytesDown) * DEMO_PRICE) / UNITS_OF_CENT;
			dayCosts.set(username, cents);
			if (atMs < pricedSinceMs) return true;
			const balance = balanceOf(username);
			balances.set(username, Math.max(0, balance - cents));
			return balance > 0;
		},
	};
}
