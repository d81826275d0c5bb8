import type { Account, AccountBalance, AuthKeyChange } from './account.ts';
import type { Transfer } from './ledger.ts';
import type { Token, TokenUse } from './token.ts';

/** The first effect of a reference, so that a repeat can answer what the first did. */
export interface TopUp {
	readonly reference: string;
	readonly reseller: string;
	/** USD cents, below zero for an adjustment that took back. */
	readonly amountCents: number;
	/** The reseller's balance after it, in USD cents. */
	readonly balanceCents: number;
}

/** What the rules may look at: the books as they stand when a command is decided. */
export interface Books {
	/** The account, if it belongs to that reseller. */
	account(reseller: string, username: string): AccountBalance | undefined;
	/** Whether any account of the platform has the name. */
	isTaken(username: string): boolean;
	tokensOf(reseller: string): readonly Token[];
	topUp(reference: string): TopUp | undefined;
}

/** What a decision changes. Balances change by transfers and by nothing else. */
export type Effect =
	| { readonly kind: 'open_account'; readonly account: Account }
	| { readonly kind: 'transfer'; readonly transfer: Transfer }
	| { readonly kind: 'replace_auth_key'; readonly change: AuthKeyChange }
	/** All tokens that the reseller has from now on. Those that it had before stay the rows that they are. */
	| { readonly kind: 'replace_tokens'; readonly reseller: string; readonly tokens: readonly Token[] }
	| { readonly kind: 'note_token_use'; readonly use: TokenUse }
	| { readonly kind: 'record_top_up'; readonly topUp: TopUp };
