import type { ErrorCode } from '../errors.ts';
import type { PaymentProviderName } from '../payments.ts';
import type { MovementKind } from '../sub-user-terms.ts';
import type { RefusalsForReason } from './business-shapes.ts';
import type { ActKind } from './shapes.ts';

/** @bound Hits of each kind that a search over everything finds: the rest is left out. */
export const SEARCH_HITS = 8;
/**
 * As many as the reference of a payment or a note can have.
 * @bound Characters of a text that is searched for: a longer one is refused.
 */
export const MAX_SEARCH_CHARACTERS = 200;

/**
 * The hits of a search over everything, `SEARCH_HITS` of each kind at most. `reseller` says whose a hit is. For people of a
 * reseller it is always their own, and `resellers` and `edges` are empty.
 */
export interface Found {
	/** By a part of the name, or of what operators have noted. */
	readonly resellers: readonly { readonly reseller: string; readonly note: string }[];
	/**
	 * By a part of the name; for people of the reseller also by a part of the note, or by an address that it allows. First
	 * those whose name begins with the text.
	 */
	readonly sub_users: readonly FoundSubUser[];
	/** With exactly this name. */
	readonly deleted_sub_users: readonly { readonly username: string; readonly reseller: string }[];
	/** By a part of the e-mail address. `reseller` is `null` for operators. */
	readonly people: readonly { readonly email: string; readonly reseller: string | null }[];
	/** By the last four characters, or a part of the name. `reseller` is `null` for a token of the operator's programs. */
	readonly tokens: readonly FoundToken[];
	/** By a part of the host. */
	readonly webhooks: readonly { readonly id: string; readonly host: string; readonly reseller: string }[];
	/** By a part of the name, or the last four characters of the key. */
	readonly edges: readonly string[];
	/** By their number, or the id of the request or of the change that made them. */
	readonly movements: readonly FoundMovement[];
	/** Payments by their reference; for operators also by its beginning. */
	readonly payments: readonly (FoundMovement & { readonly reference: string })[];
	/** Payments through providers, by their id or by one of the provider. */
	readonly top_ups: readonly FoundTopUp[];
	/** Changes over the reseller API that moved nothing, by their id. */
	readonly changes: readonly FoundChange[];
	/** By the id of the request. */
	readonly acts: readonly FoundAct[];
	/** References of gives and takes. */
	readonly references: readonly { readonly reference: string; readonly reseller: string }[];
	/** The text, if it is an address from which something was done. */
	readonly address: string | null;
	/** Kinds of which only a part was looked at: so many of them. */
	readonly looked_at: Partial<Readonly<Record<'sub_users' | 'movements' | 'acts', number>>>;
}

interface FoundSubUser {
	readonly username: string;
	readonly reseller: string;
	/** Empty for operators. */
	readonly note: string;
	/** For operators: the last refusal. `null` if there was none within the last day. */
	readonly refused: Pick<RefusalsForReason, 'at' | 'edge' | 'reason'> | null;
}

interface FoundToken {
	/** `null`: the reseller's main token. */
	readonly name: string | null;
	readonly tail: string;
	readonly reseller: string | null;
}

interface FoundMovement {
	readonly reseller: string;
	readonly number: number;
	readonly kind: MovementKind;
	readonly at: string;
}

interface FoundTopUp {
	readonly id: string;
	readonly reseller: string;
	readonly provider: PaymentProviderName;
	/** What was asked for, in USD cents. */
	readonly amount: number;
	/** When it was begun. */
	readonly at: string;
}

interface FoundChange {
	readonly reseller: string;
	/** `null` if a create had no usable name. */
	readonly username: string | null;
	/** Why it failed; `null` if it did not. */
	readonly error: ErrorCode | null;
	readonly at: string;
}

interface FoundAct {
	readonly number: number;
	readonly kind: ActKind;
	readonly target: string;
	readonly reseller: string | null;
	readonly at: string;
}
