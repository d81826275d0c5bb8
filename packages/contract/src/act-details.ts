import type { Role } from './dashboard/roles.ts';
import type { EventType } from './events.ts';
import { priceText } from './price.ts';
import type { SubUserLimits } from './terms-schemas.ts';
import { usd } from './usd.ts';

type LimitValues = { readonly [Name in keyof SubUserLimits]: NonNullable<SubUserLimits[Name]> };

/** What acts set. */
interface ActValues extends LimitValues {
	/** By a reseller, on a sub-user. Operators do not see it. */
	readonly note: string;
	/** By operators, on a reseller, which does not see it. */
	readonly operator_note: string;
	readonly sign_in_ips: readonly string[];
	/** By operators, on a reseller. */
	readonly sign_in_by_address: 'on' | 'off';
	/** Micro-dollars a GB. */
	readonly price: number;
	/** USD cents. */
	readonly debt_line: number;
	readonly low_balance: number;
	readonly role: Role;
	/** Where a webhook sends: the host alone, because the rest of its URL may have a secret. */
	readonly webhook_host: string;
	readonly webhook_types: readonly EventType[];
	readonly webhook_state: 'on' | 'off';
}

export type ActValueName = keyof ActValues;
/** The value before the act and the one after it; `null` for none. */
export type ChangedValue<Name extends ActValueName> = readonly [
	before: ActValues[Name] | null,
	after: ActValues[Name] | null,
];
/** What was changed. If both values are the same, a webhook got another URL at the same host. */
export type ChangedValues = { readonly [Name in ActValueName]?: ChangedValue<Name> };

/** What an act did, with its values. They are those that were committed with it. What is absent does not apply. */
export interface ActDetails {
	readonly changed?: ChangedValues;
	/** Balance that was given, taken, paid in or out, forgiven, or came back. USD cents. */
	readonly moved?: number;
	/** What it cost, in USD cents. */
	readonly fee?: number;
	/** It was refused, and the fee was paid all the same. */
	readonly refused?: 'username_taken';
	/** Tokens, a webhook or a payment that the target does not name. */
	readonly names?: readonly string[];
	/** Bytes that were added to a day. Below zero: they were taken away. */
	readonly bytes?: { readonly up: number; readonly down: number };
	/** Why, for people. */
	readonly reason?: string;
}

/**
 * The details of one act, as JSON.
 * @bound Bytes of the details of an act: the longest that the other bounds allow is shorter, and a longer one is not kept.
 */
export const MAX_ACT_DETAILS_BYTES = 4_096;

/** Who reads details. The notes of the other one are left out. */
export type SeenBy = 'reseller' | 'operator';

/** Reads details as the store keeps them. `null` if there are none: most kinds of acts, and older acts, have none. */
export function readActDetails(text: string | null, seenBy: SeenBy): ActDetails | null {
	if (text === null) return null;
	const { changed, ...details } = JSON.parse(text) as ActDetails;
	if (!changed) return details;
	const { note, operator_note, ...others } = changed;
	const seen = {
		...others,
		...(seenBy === 'reseller' && note && { note }),
		...(seenBy === 'operator' && operator_note && { operator_note }),
	};
	return Object.keys(seen).length === 0 ? details : { ...details, changed: seen };
}

/** Details for files and for tables of command lines, like `day_bytes: none -> 5000000000; fee: 0.10 USD`. */
export function detailsText(details: ActDetails | null): string {
	if (!details) return '';
	const { changed = {}, moved, fee, refused, names, bytes, reason } = details;
	const parts = [
		refused && `refused: ${refused}`,
		...Object.entries(changed).map(([name, values]) => {
			const [before, after] = values.map((value) => valueText(name as ActValueName, value));
			return `${name}: ${before} -> ${after}`;
		}),
		moved !== undefined && `moved: ${usd(moved)} USD`,
		fee !== undefined && `fee: ${usd(fee)} USD`,
		names && `of: ${names.join(', ')}`,
		bytes && `bytes: ${bytes.up} up, ${bytes.down} down`,
		reason && `reason: ${reason}`,
	];
	return parts.filter(Boolean).join('; ');
}

const IN_CENTS: readonly string[] = ['debt_line', 'low_balance'] satisfies ActValueName[];

function valueText(name: ActValueName, value: ActValues[ActValueName] | null): string {
	if (value === null) return 'none';
	if (typeof value === 'number') {
		if (name === 'price') return `${priceText(value)} USD`;
		return IN_CENTS.includes(name) ? `${usd(value)} USD` : String(value);
	}
	return typeof value === 'string' ? value : value.join(' ');
}

const ABOUT_SUB_USERS: readonly string[] = [
	...['create_sub_user', 'give_balance', 'take_balance', 'show_auth_key', 'reset_auth_key', 'suspend_sub_user'],
	...['resume_sub_user', 'set_limits', 'set_note', 'set_sign_in_ips', 'delete_sub_user', 'correct_usage'],
];

/** The account that an act is about, by which acts are found; `null` for none, or for several. */
export function accountOfAct({ kind, target }: { readonly kind: string; readonly target: string }): string | null {
	if (!ABOUT_SUB_USERS.includes(kind)) return null;
	const [username = '', ...others] = target.split(' ');
	const isOfSeveral = kind === 'show_auth_key' && others.length > 0;
	return username === '' || isOfSeveral ? null : username;
}
