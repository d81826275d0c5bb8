import type { Account, AccountBalance, AuthKeyChange, Deletion } from './account.ts';
import type { TopUp } from './books.ts';
import type { Debt } from './debt.ts';
import type { Happening } from './events/happening.ts';
import type { ToJudge, ToldReason } from './events/judging.ts';
import type { MovementNote, PostedTransfer } from './ledger.ts';
import type { Notice } from './mail/notice.ts';
import type { Due, Price, UsageCharge } from './metering.ts';
import type { Payment } from './payments/payment.ts';
import type { RecordedAct } from './people/act.ts';
import type { ActingSession } from './people/person.ts';
import type { ChangeName, RecordedChange } from './recorded-change.ts';
import type { SignInAddress, SignInAddresses } from './sign-in.ts';
import type { TermsChange } from './terms.ts';
import type { Token } from './token.ts';
import type { Webhook, WebhookChange } from './webhooks/webhook.ts';

/** What the store found. Whatever is missing here does not exist. */
export interface LoadedBooks {
	readonly accounts: readonly AccountBalance[];
	/** Those of these accounts whose resellers were told that they are exhausted. */
	readonly exhausted: readonly Pick<AccountBalance, 'reseller' | 'username'>[];
	/** The debts and the lines of the resellers among these accounts. */
	readonly debts: readonly Debt[];
	/** The number of the newest event of each of them. */
	readonly newestEvents: ReadonlyMap<string, number>;
	/** The id of the newest movement of each of them. */
	readonly newestMovements: ReadonlyMap<string, number>;
	/** What these accounts owe for bandwidth. A deleted sub-user may owe for what arrived later. */
	readonly dues: readonly Due[];
	/** The terms of the accounts in `changedTerms`. */
	readonly terms: readonly TermsChange[];
	readonly suspendedResellers: readonly string[];
	/** The addresses that commands name or change, those that overlap with them, and who may sign in by address. */
	readonly signInAddresses: readonly SignInAddress[];
	readonly signInResellers: readonly string[];
	/** The present prices of `pricedResellers`. */
	readonly prices: readonly Price[];
	readonly takenUsernames: readonly string[];
	readonly tokens: readonly Token[];
	/** All webhooks of `webhookHolders`, what their logs have, and the ids of events there. */
	readonly webhooks: readonly Webhook[];
	readonly oldestEvents: readonly OldestEvent[];
	readonly eventIds: readonly EventName[];
	readonly topUps: readonly TopUp[];
	/** The payments through providers that commands name, and those of a reseller that still wait for money. */
	readonly payments: readonly Payment[];
	/** The ids of acts that were recorded before. */
	readonly recordedActs: readonly string[];
	/** Which of the wanted changes were recorded before. */
	readonly recordedChanges: readonly ChangeName[];
	readonly sessions: readonly ActingSession[];
}

/** The number of the oldest event of a reseller that is kept, or of the next one if none is. */
interface OldestEvent {
	readonly reseller: string;
	readonly oldest: number;
}

/** An event in the log of a reseller. */
export interface EventName {
	readonly reseller: string;
	readonly number: number;
	readonly id: string;
}

/** What the store has to write for the batch. */
export interface BatchChanges {
	/** New accounts, as at the end of the batch. */
	readonly openedAccounts: readonly (OpenedAccount & NewestMovement)[];
	/** Existing accounts whose balance changed, and resellers whose money moved, as at the end of the batch. */
	readonly changedBalances: readonly ChangedBalance[];
	/** Existing accounts whose proxy auth key changed. */
	readonly changedAuthKeys: readonly AuthKeyChange[];
	/** All transfers, in order. */
	readonly transfers: readonly PostedTransfer[];
	/** The notes of these transfers. */
	readonly movementNotes: readonly MovementNote[];
	/** For each reseller whose tokens changed: all tokens that it has now. */
	readonly tokens: ReadonlyMap<string, readonly Token[]>;
	/** In order. */
	readonly webhooks: readonly WebhookChange[];
	readonly topUps: readonly TopUp[];
	/** Payments through providers that are new or changed, as at the end of the batch. */
	readonly payments: readonly Payment[];
	readonly acts: readonly RecordedAct[];
	/** What resellers are told, in order. */
	readonly happenings: readonly Happening[];
	/** What else people have mail about. */
	readonly notices: readonly Notice[];
	/** Accounts that are looked at once all else is written, and may bring about further happenings. */
	readonly toJudge: readonly ToJudge[];
	/** As they were loaded. */
	readonly newestEvents: ReadonlyMap<string, number>;
	readonly endedJudgings: readonly EndedJudging[];
	readonly forgottenEvents: readonly ForgottenEvents[];
	readonly recordedChanges: readonly RecordedChange[];
	/** Resellers whose debt or line changed, as at the end of the batch. */
	readonly changedDebts: readonly Debt[];
	readonly charges: readonly UsageCharge[];
	readonly prices: readonly Price[];
	/** Accounts whose terms changed, as at the end of the batch. */
	readonly changedTerms: readonly TermsChange[];
	/** Accounts whose addresses changed, with all that they have at the end of the batch. Deleted ones have none. */
	readonly changedSignIns: readonly SignInAddresses[];
	/** Whether sub-users of these resellers may sign in by address from now on. */
	readonly signInPermissions: ReadonlyMap<string, boolean>;
	/** They are written last: the other writes need accounts that still exist. */
	readonly deletions: readonly Deletion[];
}

/** A new account, and what its reseller was told of it. */
export interface OpenedAccount extends Account {
	readonly told: ToldReason | null;
}

/** What a movement changes about an account. */
export type ChangedBalance = AccountBalance & NewestMovement;

interface NewestMovement {
	/** Of a reseller's own account: the id of the newest movement of its money. Of a sub-user: 0. */
	readonly newestMovement: number;
}

/** All accounts of a reseller were judged at this price. */
export interface EndedJudging {
	readonly reseller: string;
	readonly price: number;
}

/** Events of a reseller that happened before a time, in Unix milliseconds. */
export interface ForgottenEvents {
	readonly reseller: string;
	readonly beforeMs: number;
}
