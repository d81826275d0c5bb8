import type { UnusableReason } from './sub-user-terms.ts';
import type { SubUserLimits } from './terms-schemas.ts';

/** What a reseller is told, by the type of the event (docs/api.md 12). */
export const EVENT_TYPES = [
	'sub_user.created',
	'sub_user.suspended',
	'sub_user.resumed',
	'sub_user.limits_set',
	'sub_user.key_reset',
	'sub_user.deleted',
	'sub_user.unusable',
	'sub_user.usable',
	'reseller.credited',
	'reseller.balance_low',
	'reseller.debt',
	'reseller.suspended',
	'reseller.resumed',
	'token.rotated',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** How the debt of a reseller has changed. Beyond its line, the proxies refuse all pairs while bandwidth has a price. */
export const DEBT_STATES = ['began', 'beyond_line', 'within_line', 'paid'] as const;

type Nothing = Readonly<Record<string, never>>;

/**
 * The field `data` of each event. Amounts are USD cents, and times are ISO 8601. A reason holds for the sub-user itself, whatever
 * holds for its reseller.
 */
export interface EventData {
	/** `reason` is `null` if it is usable. */
	readonly 'sub_user.created': { readonly usable: boolean; readonly reason: UnusableReason | null };
	readonly 'sub_user.suspended': Nothing;
	readonly 'sub_user.resumed': Nothing;
	/** All limits that hold now. */
	readonly 'sub_user.limits_set': { readonly limits: SubUserLimits };
	/** The new key is not told: it is a secret. */
	readonly 'sub_user.key_reset': Nothing;
	/** What went back to the reseller. */
	readonly 'sub_user.deleted': { readonly amount_usd_cents: number };
	/** Also told if another reason holds now. */
	readonly 'sub_user.unusable': { readonly reason: UnusableReason };
	readonly 'sub_user.usable': Nothing;
	/** `amount_usd_cents` is below zero if it was taken back. `balance` is the one afterwards. */
	readonly 'reseller.credited': {
		readonly amount_usd_cents: number;
		readonly balance: number;
		readonly reference: string;
		/** The id of the payment through a provider that brought it; absent if there is none. */
		readonly payment?: string;
	};
	/** The balance is below the threshold that the reseller has set. Told once, until it was above. */
	readonly 'reseller.balance_low': { readonly balance: number; readonly threshold: number };
	readonly 'reseller.debt': {
		readonly state: (typeof DEBT_STATES)[number];
		readonly debt: number;
		readonly line: number;
	};
	readonly 'reseller.suspended': Nothing;
	readonly 'reseller.resumed': Nothing;
	/**
	 * The last four characters of the new token; the e-mail address of the person who made it, or `operator`; and when the
	 * previous tokens end. `ended`: they have all ended at once.
	 */
	readonly 'token.rotated': {
		readonly change: 'rotated' | 'ended';
		readonly token_tail: string;
		readonly made_by: string;
		readonly previous_expires_at: string;
	};
}
