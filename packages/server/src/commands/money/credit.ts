import type { AccountBalance } from '../../domain/account.ts';
import type { Effect } from '../../domain/books.ts';
import { platformTransfer } from '../../domain/ledger.ts';
import { assertBalance } from '../../domain/money.ts';
import { isProvidersReference, isReference } from '../../domain/reference.ts';
import { liveBalance } from '../../domain/settling.ts';
import { isShortText } from '../../domain/short-text.ts';
import type { AccountCommand } from '../command.ts';
import { refused, type Verb } from '../verb.ts';
import { credited } from './credited.ts';

export interface CreditReseller extends AccountCommand {
	readonly kind: 'credit_reseller';
	/** USD cents: above zero a top-up, below zero an adjustment that takes money back. */
	readonly amountCents: number;
	/** The operator's own name for this payment, unique on the platform. */
	readonly reference: string;
	/** Why, for people. Needed to take money back. `isShortText` says what it may be. */
	readonly reason?: string | undefined;
}

interface Credited {
	readonly ok: true;
	readonly username: string;
	/** The reseller's balance afterwards, in USD cents. */
	readonly balanceCents: number;
	readonly repeated: boolean;
}

type CreditRefusal =
	| 'invalid_reference'
	| 'invalid_reason'
	| 'invalid_amount'
	| 'unknown_reseller'
	| 'reference_conflict'
	| 'insufficient_balance'
	| 'balance_limit';

/** Moves money in from outside, or back out. A reference counts once: a repeat for the same gets the first answer again. */
export const creditReseller: Verb<CreditReseller, Credited, CreditRefusal> = {
	kind: 'credit_reseller',
	calls: ['/operator/top-up', '/operator/adjust'],
	giver: 'person',
	needs: ({ reference }) => (isReference(reference) ? { reference } : {}),
	decide(books, command, nowMs) {
		const { reference, amountCents, reason = '' } = command;
		if (!isReference(reference) || isProvidersReference(reference)) return refused('invalid_reference');
		if (!isShortText(reason, amountCents < 0)) return refused('invalid_reason');
		if (!Number.isSafeInteger(amountCents) || amountCents === 0) return refused('invalid_amount');
		const account = books.account(command.reseller, command.reseller);
		if (!account) return refused('unknown_reseller');
		assertBalance(account.balanceCents, account.username);
		const { username } = account;
		const first = books.topUp(reference);
		if (first) {
			if (first.reseller !== username || first.amountCents !== amountCents) return refused('reference_conflict');
			return { outcome: { ok: true, username, balanceCents: first.balanceCents, repeated: true }, effects: [] };
		}
		if (liveBalance(books, account) + amountCents < 0) return refused('insufficient_balance');
		const done = credited(books, command, account, { amountCents, reference, reason }, nowMs);
		if (!done) return refused('balance_limit');
		const { balanceCents, effects } = done;
		return { outcome: { ok: true, username, balanceCents, repeated: false }, effects };
	},
};

/** The first money of a reseller. */
export function funding(account: AccountBalance, amountCents: number, requestId: string, nowMs: number): Effect {
	const transfer = platformTransfer('top_up', account, amountCents, { atMs: nowMs, requestId });
	return { kind: 'transfer', transfer };
}
