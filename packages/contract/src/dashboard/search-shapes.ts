/** @bound Hits of each kind that a search over everything finds: the rest is left out. */
export const SEARCH_HITS = 8;
/** @bound Characters of a text that is searched for: a longer one is refused. */
export const MAX_SEARCH_CHARACTERS = 128;

/** The hits for people of a reseller. Those that begin with the text come first. */
export interface Found {
	/** By name or note. */
	readonly sub_users: readonly { readonly username: string; readonly note: string }[];
	/** People of the team, by a part of the e-mail address. */
	readonly people: readonly string[];
	/** The text, if a movement has exactly this reference. */
	readonly references: readonly string[];
}

/** The hits for operators. */
export interface FoundByOperator {
	/** By the beginning of the name. */
	readonly resellers: readonly string[];
	/** Of all resellers, by the beginning of the name. Names are unique. */
	readonly sub_users: readonly { readonly username: string; readonly reseller: string }[];
	/** By a part of the e-mail address. `reseller` is `null` for operators. */
	readonly people: readonly { readonly email: string; readonly reseller: string | null }[];
	/** By a part of the name. */
	readonly edges: readonly string[];
	/** The text, for each reseller that has a movement with exactly this reference. */
	readonly references: readonly { readonly reference: string; readonly reseller: string }[];
}
