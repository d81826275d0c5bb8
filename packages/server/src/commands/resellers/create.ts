import type { Account } from '../../domain/account.ts';
import type { Effect } from '../../domain/books.ts';
import { isBalance } from '../../domain/money.ts';
import type { AccountCommand } from '../command.ts';
import { funding } from '../money/credit.ts';
import { newToken, type TokenMaking } from '../tokens/new-token.ts';
import { refused, type Verb } from '../verb.ts';

export interface CreateReseller extends AccountCommand, TokenMaking {
	readonly kind: 'create_reseller';
	readonly proxyAuthkey: string;
	/** USD cents; 0 opens the account without a top-up. */
	readonly openingBalanceCents: number;
}

interface Created {
	readonly ok: true;
	readonly account: Account;
}

/** Opens the account of a reseller, with its first token. */
export const createReseller: Verb<CreateReseller, Created, 'balance_limit' | 'username_taken'> = {
	kind: 'create_reseller',
	calls: ['/operator/resellers/create'],
	giver: 'person',
	needs: ({ reseller }) => ({ newName: reseller }),
	decide(books, command, nowMs) {
		const { reseller, openingBalanceCents } = command;
		if (!isBalance(openingBalanceCents)) return refused('balance_limit');
		if (books.isTaken(reseller)) return refused('username_taken');
		const account: Account = {
			reseller,
			username: reseller,
			balanceCents: 0,
			proxyAuthkey: command.proxyAuthkey,
			createdAtMs: nowMs,
		};
		const effects: Effect[] = [
			{ kind: 'open_account', account },
			{ kind: 'replace_tokens', reseller, tokens: [newToken(command, nowMs)] },
		];
		if (openingBalanceCents > 0) effects.push(funding(account, openingBalanceCents, command.requestId, nowMs));
		return { outcome: { ok: true, account: { ...account, balanceCents: openingBalanceCents } }, effects };
	},
};
