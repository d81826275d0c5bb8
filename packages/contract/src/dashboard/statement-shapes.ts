import type { PaymentProviderName } from '../payments.ts';
import type { MovementKind } from '../sub-user-terms.ts';

export interface MovementPage {
	/**
	 * What came after the newest movement, on the first page of an account. `null` if nothing did, or if the filter leaves it
	 * out: by kind or reference, or by times that do not include now.
	 */
	readonly today: TodaySoFar | null;
	/** The newest first. */
	readonly movements: readonly Movement[];
	/** For the next page; `null` if there is nothing older. */
	readonly next_before: number | null;
	/** How far back this page has looked, if it is complete up to there and `next_before` goes on; otherwise `null`. */
	readonly searched_to: string | null;
}

/** Bandwidth that is paid from a balance, and that the ledger does not have yet. The ledger gets it after each UTC day. */
export interface TodaySoFar {
	/** Bytes, up and down together. */
	readonly bytes: number;
	/** USD cents, at least 1. */
	readonly cost: number;
	/** The live balance: that of the newest movement less this cost. */
	readonly balance: number;
	readonly since: string;
}

export interface Movement {
	/** Its id: counts the movements of the reseller. */
	readonly number: number;
	readonly at: string;
	readonly kind: MovementKind;
	/**
	 * The sub-user that got or gave money, or paid for its bandwidth. For a fee, the name that was asked for, even if it
	 * was taken. `null` for movements between the reseller and the operator, for the reseller's own bandwidth, and for the
	 * fee of an invalid name.
	 */
	readonly username: string | null;
	/**
	 * The account that `amount` and `balance` are about. In a statement about one sub-user, it is that sub-user, unless
	 * only the reseller's balance changed, as with a fee. Otherwise it is the reseller, unless a sub-user paid for its
	 * bandwidth.
	 */
	readonly of: string;
	/**
	 * How that balance changed: below zero if it got smaller. For `debt`, `refund_debt` and `debt_forgiven`, how the debt
	 * changed: below zero if the reseller owes more.
	 */
	readonly amount: number;
	/** That balance afterwards. `null` for `debt`, `refund_debt` and `debt_forgiven`. */
	readonly balance: number | null;
	/** The bandwidth of a `usage` or a `debt`; otherwise empty. */
	readonly usage: readonly PaidUsage[];
	readonly by: MovementMaker;
	/** Of a give or a take the reseller's reference, of a payment the operator's or the provider's; may be empty. */
	readonly reference: string;
	/** The operator's reason; may be empty. */
	readonly reason: string;
	/** A person's note on a give or a take; may be empty. */
	readonly note: string;
	/** The id of the payment through a provider that it is of; `null` if it is of none. */
	readonly payment: string | null;
}

/** The changes of a reseller's balance, in periods that follow each other. */
export interface StatementPeriods {
	/** When the first movement of all was; `null` if there is none. */
	readonly begun: string | null;
	/** What the reseller's own account owes for bandwidth, in USD cents. It is not in a statement yet. */
	readonly not_posted: number;
	/** The oldest first. */
	readonly periods: readonly StatementPeriod[];
}

export interface StatementPeriod {
	readonly from: string;
	/** Not included. */
	readonly to: string;
	/** `null` while it is being added up. Each further request gets further. */
	readonly summary: PeriodSummary | null;
}

export interface PeriodSummary {
	/** The reseller's balance by the ledger, before the period and at its end. `null` if it is about one sub-user. */
	readonly opening: number | null;
	readonly closing: number | null;
	/** The movements between these two. */
	readonly totals: readonly MovementTotal[];
	/** The numbers of its movements, for `/statement/lines`. `end` is not included. */
	readonly first: number;
	readonly end: number;
}

/** All movements of one kind. */
export interface MovementTotal {
	readonly kind: MovementKind;
	/** Which of these the movements changed: the reseller's balance, balances of sub-users, or the debt of the reseller. */
	readonly of: 'balance' | 'sub_users' | 'debt';
	readonly count: number;
	/**
	 * The sum of the changes: below zero if a balance got smaller, or the debt larger. For gives and takes in a statement
	 * about one sub-user, the changes of that sub-user's balance.
	 */
	readonly amount: number;
}

export interface StatementLines {
	/** The oldest first. */
	readonly movements: readonly Movement[];
	/** For the next call; `null` if this was the last one. */
	readonly next_from: number | null;
}

/** Bandwidth that was paid for at one price. */
export interface PaidUsage {
	/** Bytes, up and down together. */
	readonly bytes: number;
	/** Micro-dollars a GB. */
	readonly price: number;
	/** The bandwidth was used between this time and the movement. */
	readonly since: string;
}

/**
 * Who moved the money: a program with the token, a person on the dashboard, the operator's command line or programs, or a
 * payment provider.
 */
export type MovementMaker =
	/** The last four characters of the token, and the program's address; `null` if they were not recorded. */
	| { readonly kind: 'api'; readonly token_tail: string | null; readonly address: string | null }
	/** An e-mail address. `null` if a reseller's person reads about an operator. */
	| { readonly kind: 'person'; readonly email: string | null }
	/** The user of the operating system, or the token of a program of the operator; both `null` for a reseller's person. */
	| { readonly kind: 'operator'; readonly system_user: string | null; readonly operator_token: string | null }
	/** A payment arrived there, was refunded, or is disputed. */
	| { readonly kind: 'provider'; readonly provider: PaymentProviderName }
	/** The service itself, for bandwidth. */
	| { readonly kind: 'service' };
