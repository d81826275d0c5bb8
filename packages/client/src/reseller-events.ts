import type { Page } from './resources/list.ts';
import type { SubUserLimits, UnusableReason } from './sub-user-terms.ts';

type Nothing = Readonly<Record<string, never>>;

/** The `data` of each type of event. A reason holds for the sub-user itself: it does not say what holds for you. */
export interface EventData {
	/** `reason` is `undefined` if it is usable. */
	readonly 'sub_user.created': { readonly isUsable: boolean; readonly reason: UnusableReason | undefined };
	readonly 'sub_user.suspended': Nothing;
	readonly 'sub_user.resumed': Nothing;
	/** All limits that hold now. */
	readonly 'sub_user.limits_set': { readonly limits: SubUserLimits };
	/** `subUsers.retrieve` has the new key. */
	readonly 'sub_user.key_reset': Nothing;
	/** What came back to your own balance, in USD cents. */
	readonly 'sub_user.deleted': { readonly returnedCents: number };
	/** Also told if another reason holds than before. */
	readonly 'sub_user.unusable': { readonly reason: UnusableReason };
	readonly 'sub_user.usable': Nothing;
	/**
	 * `amountCents` is below zero if it was taken back. `balanceCents` is the one afterwards. `payment` is the id of the payment
	 * through a provider that has brought it or taken it back; `undefined` if there is none.
	 */
	readonly 'reseller.credited': {
		readonly amountCents: number;
		readonly balanceCents: number;
		readonly reference: string;
		readonly payment: string | undefined;
	};
	/** Your balance is below the threshold that you have set. Told once, until it was above. */
	readonly 'reseller.balance_low': { readonly balanceCents: number; readonly thresholdCents: number };
	/** How your debt has changed. Beyond its line, the proxies refuse all pairs while bandwidth has a price. */
	readonly 'reseller.debt': {
		readonly state: 'began' | 'beyond_line' | 'within_line' | 'paid';
		readonly debtCents: number;
		readonly lineCents: number;
	};
	readonly 'reseller.suspended': Nothing;
	readonly 'reseller.resumed': Nothing;
	/** There is a new token. `ended`: the previous ones have all ended at once. */
	readonly 'token.rotated': {
		readonly change: 'rotated' | 'ended';
		/** The last four characters of the new token. */
		readonly tokenTail: string;
		/** The e-mail address of the person who made it, or `operator`. */
		readonly madeBy: string;
		readonly previousExpiresAt: Date;
	};
}

export type EventType = keyof EventData;

interface EventOfType<Type extends EventType> {
	/** An event of a log that was restored has another one. */
	readonly id: string;
	/** Its place in the log: 1, 2, 3, without a gap. */
	readonly number: number;
	readonly type: Type;
	readonly at: Date;
	/** The sub-user that it is about. */
	readonly username: Type extends `sub_user.${string}` ? string : string | undefined;
	readonly data: EventData[Type];
	/** `X-Request-Id` of the request that has caused it; `undefined` if bandwidth or time has. */
	readonly requestId: string | undefined;
	/** The id of the change that has caused it; `undefined` if it had none. */
	readonly changeId: string | undefined;
	/** The place behind it. Keep it: it is the `after` with which you go on. */
	readonly next: string;
}

/**
 * What has happened to you or to a sub-user. A newer service may have further types, whose `data` is as it came: ignore those
 * that you do not know.
 */
export type ResellerEvent = { readonly [Type in EventType]: EventOfType<Type> }[EventType];

/** An event as the API sends it, for a program that passes it on. */
export interface SentEvent {
	readonly id: string;
	readonly number: number;
	/** A newer service may have types that this client does not know. */
	readonly type: string;
	/** The event of docs/api.md 12.2 as JSON: the body of a webhook. */
	readonly body: string;
	/** The place behind it. */
	readonly next: string;
}

/** A page of events. */
export interface EventPage extends Page<ResellerEvent> {
	/** The place behind this page. It also moves past events of other types. */
	readonly next: string;
	/** Whether there may be more to read now. A page may be empty and have more. */
	readonly more: boolean;
}
