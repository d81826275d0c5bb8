/**
 * The reads of the search over everything. Each finds `limit` rows at most, and throws `StoreUnavailableError` if the
 * store cannot be asked. A text is in lowercase, without control characters.
 */
export interface SearchReads {
	/** Live sub-users of a reseller whose name or note has the text; first those whose name begins with it. */
	searchSubUsers(reseller: string, text: string, limit: number): Promise<readonly FoundSubUser[]>;
	/** Live sub-users of all resellers, by the beginning of their names. */
	searchAllSubUsers(prefix: string, limit: number): Promise<readonly FoundUsername[]>;
	/** People whose e-mail address has the text; first those whose address begins with it. */
	searchPeople(text: string, limit: number): Promise<readonly FoundPerson[]>;
}

interface FoundSubUser {
	readonly username: string;
	/** `null`: none. */
	readonly note: string | null;
}

interface FoundUsername {
	readonly username: string;
	readonly reseller: string;
}

interface FoundPerson {
	readonly email: string;
	/** `null` for operators. */
	readonly reseller: string | null;
}
