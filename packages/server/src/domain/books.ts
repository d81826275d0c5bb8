import type { PaymentProviderName } from '@bursar/contract/payments';
import type { Account, AccountBalance, AuthKeyChange, Deletion } from './account.ts';
import type { Debt } from './debt.ts';
import type { EventLog } from './events/cursor.ts';
import type { Happening } from './events/happening.ts';
import type { ToldReason } from './events/judging.ts';
import type { MovementNote, Transfer } from './ledger.ts';
import type { Notice } from './mail/notice.ts';
import type { Due, Price, UsageCharge } from './metering.ts';
import type { Payment } from './payments/payment.ts';
import type { RecordedAct } from './people/act.ts';
import type { ActingSession } from './people/person.ts';
import type { RecordedChange } from './recorded-change.ts';
import type { SignInAddresses } from './sign-in.ts';
import type { Terms, TermsChange } from './terms.ts';
import type { Token } from './token.ts';
import type { Webhook, WebhookChange } from './webhooks/webhook.ts';

/** The first payment under a reference. A repeat gets the same answer. */
export interface TopUp {
	readonly reference: string;
	readonly reseller: string;
	/** USD cents. Below zero for an adjustment that took money back. */
	readonly amountCents: number;
	/** The reseller's balance after it, in USD cents. */
	readonly balanceCents: number;
	/** The request that made the transfer. */
	readonly requestId: string;
	/** Why, for people. May be empty. */
	readonly reason: string;
	/** The id of the payment through a provider that brought it; `null` if a person or a program gave it. */
	readonly payment: string | null;
}

/** What the rules may look at: the books at the time when a command is decided. */
export interface Books {
	/** The account, if it belongs to that reseller. */
	account(reseller: string, username: string): AccountBalance | undefined;
	/** What the account owes for bandwidth, by price. Empty if it owes less than a cent. */
	duesOf(account: Pick<AccountBalance, 'reseller' | 'username'>): readonly Due[];
	/** What the reseller owes, and its line. */
	debtOf(reseller: string): Debt;
	/** The present price of the reseller. `undefined` if none was ever set. */
	priceOf(reseller: string): Price | undefined;
	/** The terms of an account whose terms a command of the batch changes. */
	termsOf(account: Pick<AccountBalance, 'reseller' | 'username'>): Terms;
	/** Whether the operator has suspended this reseller. */
	isSuspended(reseller: string): boolean;
	/** The keys of the addresses by which an account signs in, in their order, if a command of the batch changes them. */
	signInAddressesOf(account: Pick<AccountBalance, 'reseller' | 'username'>): readonly string[];
	/** Whether another account of the platform has the address, its /64, or one in it. A command of the batch names it. */
	isAddressTaken(address: string, account: Pick<AccountBalance, 'reseller' | 'username'>): boolean;
	/** Whether the operator allows sub-users of this reseller to sign in by address, if a command of the batch asks for it. */
	maySignInByAddress(reseller: string): boolean;
	/** Whether any account of the platform has the name, or had it. */
	isTaken(username: string): boolean;
	tokensOf(reseller: string): readonly Token[];
	/** The webhooks of a reseller of which a command of the batch changes one. */
	webhooksOf(reseller: string): readonly Webhook[];
	/**
	 * The log of such a reseller at the number of an event, as it was before the batch. Default: at the newest one. The number is
	 * one that a webhook has reached, or that a command needs.
	 */
	logOf(reseller: string, number?: number): EventLog;
	topUp(reference: string): TopUp | undefined;
	/** A payment of this reseller through a provider that a command of the batch names. */
	payment(reseller: string, id: string): Payment | undefined;
	/** The id of the payment that has this object of a provider, if a command of the batch names it. */
	paymentOfObject(provider: PaymentProviderName, objectId: string): string | undefined;
	/** How many payments of a reseller that were begun since a time wait for money, up to as many as may. */
	countWaitingPayments(reseller: string, sinceMs: number): number;
	/** Whether an act with this id was recorded. */
	isActRecorded(id: string): boolean;
	/** Whether a change of this reseller with this id was recorded. */
	isChangeRecorded(reseller: string, id: string): boolean;
	/** The session with this public id, expired or not. */
	session(id: string): ActingSession | undefined;
}

/** What a decision changes. Only transfers change balances. */
export type Effect =
	/** `told`: what its reseller is told of it from the beginning. */
	| { readonly kind: 'open_account'; readonly account: Account; readonly told?: ToldReason | null }
	| { readonly kind: 'transfer'; readonly transfer: Transfer }
	| { readonly kind: 'note_movement'; readonly note: MovementNote }
	| { readonly kind: 'replace_auth_key'; readonly change: AuthKeyChange }
	/** All tokens that the reseller has from now on. Tokens that it already had keep their rows. */
	| { readonly kind: 'replace_tokens'; readonly reseller: string; readonly tokens: readonly Token[] }
	| { readonly kind: 'record_top_up'; readonly topUp: TopUp }
	/** `isNew`: it did not exist. */
	| { readonly kind: 'write_payment'; readonly payment: Payment; readonly isNew?: true }
	/** Tells the reseller. */
	| { readonly kind: 'happened'; readonly happening: Happening }
	/** Looks, once the batch is written, whether the reseller was told what holds for this account. */
	| { readonly kind: 'judge'; readonly reseller: string; readonly username: string }
	| { readonly kind: 'record_act'; readonly act: RecordedAct }
	| { readonly kind: 'record_change'; readonly change: RecordedChange }
	/** Each charge ends all that is due of its account and price. */
	| { readonly kind: 'settle_usage'; readonly charges: readonly UsageCharge[] }
	| { readonly kind: 'set_price'; readonly price: Price }
	| { readonly kind: 'change_webhook'; readonly change: WebhookChange }
	/** Tells everybody who wants it, if mail is set up. */
	| { readonly kind: 'notify'; readonly notice: Notice }
	/** The oldest events that happened before this time, in Unix milliseconds. */
	| { readonly kind: 'forget_events'; readonly reseller: string; readonly beforeMs: number }
	/** All accounts of the reseller were judged since it has this price. */
	| { readonly kind: 'end_judging'; readonly reseller: string; readonly price: number }
	/** USD cents. */
	| { readonly kind: 'set_debt_line'; readonly reseller: string; readonly cents: number }
	| { readonly kind: 'change_terms'; readonly change: TermsChange }
	/** All addresses by which the account signs in from now on. */
	| { readonly kind: 'set_sign_in'; readonly account: SignInAddresses }
	| { readonly kind: 'allow_sign_in'; readonly reseller: string; readonly isAllowed: boolean }
	/** Its balance is 0, and nothing is due. */
	| { readonly kind: 'delete_account'; readonly deletion: Deletion };
