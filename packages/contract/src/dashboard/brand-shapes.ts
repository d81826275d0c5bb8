/** How the service looks to all people, signed in or not. */
export interface ShownBrand {
	readonly name: string;
	/** Like `#4263eb`; `null`: the usual one. */
	readonly color: string | null;
	/** The path of a PNG of the service; `null` without one. Another logo has another path. */
	readonly logo: string | null;
}

/** Who sends the statements and the mails. What is not set is empty. */
export interface Letterhead {
	readonly legal_name: string;
	readonly address: readonly string[];
	readonly tax_number: string;
}

/** What operators have set. `null`: as it is in all installations. */
export interface BrandSettings extends Letterhead {
	readonly name: string | null;
	readonly color: string | null;
	/** As in `ShownBrand`. */
	readonly logo: string | null;
}

/** What is absent stays. */
export interface BrandChange extends Partial<Letterhead> {
	readonly name?: string | null;
	readonly color?: string | null;
	/** A PNG in base64. */
	readonly logo?: string | null;
}
