import type { ErrorCode } from '@bursar/contract/errors';
import type { Account } from './account.ts';
import type { Price } from './metering.ts';
import type { CommandLineAct, PersonAct, Program } from './people/act.ts';
import type { Limits, Terms } from './terms.ts';

/** Only these commands change accounts. Their usernames are normalized. */
export type Command =
	| CreateReseller
	| CreditReseller
	| CreateSubUser
	| GiveBalance
	| TakeBalance
	| ResetAuthKey
	| RotateToken
	| RevokeToken
	| SetPrice
	| ForgiveDebt
	| PostUsage
	| SuspendSubUser
	| ResumeSubUser
	| SetLimits
	| SetNote
	| DeleteSubUser
	| SuspendReseller
	| ResumeReseller;

interface CommandBase {
	/** The reseller that asks, or that the operator names. */
	readonly reseller: string;
	/** Written into every ledger row that the command makes. */
	readonly requestId: string;
	/** The command must not start at or after this time, in Unix milliseconds. */
	readonly expiresAtMs?: number | undefined;
	/**
	 * What a person does on the dashboard, or the operator on the command line. If an act with this id is recorded, or the
	 * session of the act has ended, the command changes nothing.
	 */
	readonly act?: PersonAct | CommandLineAct | undefined;
	/** The program that asks over the API. */
	readonly program?: Program | undefined;
}

interface SubUserChange extends CommandBase {
	/**
	 * The reseller's own name for this change. If a change of the reseller with this id is recorded, the command changes
	 * nothing (docs/api.md 10.5).
	 */
	readonly changeId?: string | undefined;
}

/** What the store keeps of a new token, and who makes it. */
export interface TokenMaking {
	readonly tokenHash: string;
	/** The last four characters of the token. */
	readonly tokenTail: string;
	/** The e-mail address of the reseller's person, or `MADE_BY_OPERATOR`. */
	readonly madeBy: string;
}

export interface CreateReseller extends CommandBase, TokenMaking {
	readonly kind: 'create_reseller';
	readonly proxyAuthkey: string;
	/** USD cents; 0 opens the account without a top-up. */
	readonly openingBalanceCents: number;
}

export interface CreditReseller extends CommandBase {
	readonly kind: 'credit_reseller';
	/** USD cents: above zero a top-up, below zero an adjustment that takes money back. */
	readonly amountCents: number;
	/** The operator's own name for this payment, unique on the platform. */
	readonly reference: string;
	/** Why, for people. Needed to take money back. `isReason` says what it may be. */
	readonly reason?: string | undefined;
}

export interface CreateSubUser extends SubUserChange {
	readonly kind: 'create_sub_user';
	/** `undefined` if the request has no usable username. Such a request still pays the fee (docs/api.md 8.2). */
	readonly username: string | undefined;
	/** How a request without a usable username is answered. It is recorded with the change. */
	readonly unusableAs?: ErrorCode | undefined;
	readonly proxyAuthkey: string;
}

export interface GiveBalance extends SubUserChange {
	readonly kind: 'give_balance';
	readonly username: string;
	readonly amountCents: number;
	/** Why, for the reseller's people. `isReason` says what it may be. Absent: no note. */
	readonly note?: string | undefined;
}

export interface TakeBalance extends SubUserChange {
	readonly kind: 'take_balance';
	readonly username: string;
	readonly amountCents: number;
	/** As with `GiveBalance`. */
	readonly note?: string | undefined;
}

export interface ResetAuthKey extends SubUserChange {
	readonly kind: 'reset_auth_key';
	readonly username: string;
	readonly proxyAuthkey: string;
}

export interface RotateToken extends CommandBase, TokenMaking {
	readonly kind: 'rotate_token';
	/** How long the previous token stays valid, in milliseconds. */
	readonly overlapMs: number;
}

export interface RevokeToken extends CommandBase, TokenMaking {
	readonly kind: 'revoke_token';
}

/** Sets what a GB costs the accounts of a reseller from now on, and how much the reseller may owe. */
export interface SetPrice extends CommandBase {
	readonly kind: 'set_price';
	/** Micro-dollars, at least 1. `null`: bandwidth costs nothing. */
	readonly microUsdPerGb: number | null;
	/** USD cents. Absent: the line stays as it is. */
	readonly debtLineCents?: number | undefined;
}

/** Takes from what a reseller owes, without a payment. */
export interface ForgiveDebt extends CommandBase {
	readonly kind: 'forgive_debt';
	readonly amountCents: number;
	/** Why, for people. `isReason` says what it may be. */
	readonly reason: string;
}

/** Posts what accounts of a reseller owe for bandwidth. The service itself gives this command. */
export interface PostUsage extends CommandBase {
	readonly kind: 'post_usage';
	/** Of sub-users, or of the reseller itself. */
	readonly usernames: readonly string[];
}

/** The sub-user's pair is refused from now on. Its balance stays. */
export interface SuspendSubUser extends SubUserChange {
	readonly kind: 'suspend_sub_user';
	readonly username: string;
}

export interface ResumeSubUser extends SubUserChange {
	readonly kind: 'resume_sub_user';
	readonly username: string;
}

export interface SetLimits extends SubUserChange {
	readonly kind: 'set_limits';
	readonly username: string;
	/** `null` removes a limit. One that is absent stays as it is. */
	readonly limits: Partial<Limits>;
}

export interface SetNote extends SubUserChange {
	readonly kind: 'set_note';
	readonly username: string;
	/** `isReason` says what it may be. Empty: none. */
	readonly note: string;
}

export interface DeleteSubUser extends SubUserChange {
	readonly kind: 'delete_sub_user';
	readonly username: string;
}

export interface SuspendReseller extends CommandBase {
	readonly kind: 'suspend_reseller';
}

export interface ResumeReseller extends CommandBase {
	readonly kind: 'resume_reseller';
}

/** Why the rules refuse a command. Each audience maps the reasons to its own answers. */
interface RuleRefusal {
	create_reseller: 'balance_limit' | 'username_taken';
	credit_reseller:
		| 'invalid_reference'
		| 'invalid_reason'
		| 'invalid_amount'
		| 'unknown_reseller'
		| 'reference_conflict'
		| 'insufficient_balance'
		| 'balance_limit';
	create_sub_user: 'suspended' | 'insufficient_balance' | 'no_usable_username' | 'username_taken';
	give_balance:
		| 'suspended'
		| 'unknown_sub_user'
		| 'invalid_amount'
		| 'invalid_note'
		| 'insufficient_balance'
		| 'balance_limit';
	take_balance: RuleRefusal['give_balance'];
	reset_auth_key: 'suspended' | 'unknown_sub_user';
	suspend_sub_user: 'suspended' | 'unknown_sub_user';
	resume_sub_user: 'suspended' | 'unknown_sub_user';
	set_limits: 'suspended' | 'unknown_sub_user' | 'invalid_limits';
	set_note: 'suspended' | 'unknown_sub_user' | 'invalid_note';
	delete_sub_user: 'suspended' | 'unknown_sub_user' | 'balance_limit';
	suspend_reseller: 'unknown_reseller';
	resume_reseller: 'unknown_reseller';
	rotate_token: 'unknown_reseller' | 'invalid_overlap' | 'rotation_pending';
	revoke_token: 'unknown_reseller';
	set_price: 'unknown_reseller' | 'invalid_price' | 'invalid_debt_line';
	forgive_debt: 'unknown_reseller' | 'invalid_amount' | 'invalid_reason' | 'more_than_the_debt';
	post_usage: never;
}

/** Why the act of a command is refused: it was recorded before, or its session does not allow it any more. */
export type ActRefusal = 'act_repeated' | 'signed_out' | 'not_allowed' | 'proof_required';

/** Why a change with an id is refused: a change with this id was recorded before. */
export type ChangeRefusal = 'change_repeated';

/** Reasons that any command may have: the rules threw, it was not run, or its commit may have failed. */
export type NoOutcome = 'rules_failed' | 'not_done' | 'outcome_unknown';

/** Why a command is refused. If it has no act, no act is refused; if it has no id, it repeats nothing. */
export type RefusalReason<C extends Command = Command> =
	| RuleRefusal[C['kind']]
	| NoOutcome
	| RefusalOfAct<C>
	| RefusalOfChange<C>;
type RefusalOfChange<C> = C extends unknown ? ('changeId' extends keyof C ? ChangeRefusal : never) : never;
type RefusalOfAct<C> = C extends unknown ? ('act' extends keyof C ? ActRefusal : never) : never;

/** The same commands, if no person on the dashboard gives them. */
export type WithoutAct<C extends Command> = C extends unknown ? Omit<C, 'act'> : never;

export interface Refusal<Reason extends RefusalReason = RefusalReason> {
	readonly ok: false;
	readonly error: Reason;
	/** Whether it was not run because its owner has too much waiting. */
	readonly isAskersBound?: true;
}

interface Balance {
	readonly ok: true;
	readonly username: string;
	/** USD cents, after the command. */
	readonly balanceCents: number;
}

interface Opened {
	readonly ok: true;
	readonly account: Account;
}

interface NewToken {
	readonly ok: true;
	/** Every earlier token is refused from this time on, in Unix milliseconds. */
	readonly previousExpiresAtMs: number;
}

interface NewTerms {
	readonly ok: true;
	readonly username: string;
	readonly terms: Terms;
}

interface ResellerSuspension {
	readonly ok: true;
	/** The reseller. */
	readonly username: string;
	readonly isSuspended: boolean;
}

interface Success {
	create_reseller: Opened;
	credit_reseller: Balance & { readonly repeated: boolean };
	create_sub_user: Opened;
	give_balance: Balance;
	take_balance: Balance;
	reset_auth_key: { readonly ok: true; readonly username: string; readonly proxyAuthkey: string };
	rotate_token: NewToken;
	revoke_token: NewToken;
	/** With the line that holds, in USD cents. */
	set_price: { readonly ok: true; readonly price: Price | undefined; readonly debtLineCents: number };
	/** What is still owed, in USD cents. */
	forgive_debt: { readonly ok: true; readonly username: string; readonly debtCents: number };
	post_usage: { readonly ok: true };
	suspend_sub_user: NewTerms;
	resume_sub_user: NewTerms;
	set_limits: NewTerms;
	set_note: NewTerms;
	/** USD cents that went back to the reseller. */
	delete_sub_user: { readonly ok: true; readonly username: string; readonly returnedCents: number };
	suspend_reseller: ResellerSuspension;
	resume_reseller: ResellerSuspension;
}

/** The outcome of a command: its own kind of success, or a refusal. */
export type OutcomeOf<C extends Command> = Success[C['kind']] | Refusal<RefusalReason<C>>;
export type Outcome = OutcomeOf<Command>;

export function refuse<Reason extends RefusalReason>(error: Reason): Refusal<Reason> {
	return { ok: false, error };
}
