import type { Account } from '../../domain/account.ts';
import type { SubUserState, Terms } from '../../domain/terms.ts';

/**
 * What is read about the life of sub-users. Each read throws `StoreUnavailableError` if the store cannot be asked.
 * Resellers take turns. States are those of the store's clock.
 */
export interface LifeReads {
	/** A step through a reseller's sub-users by name. It looks at `NAMES_IN_A_STEP` of them at most, and may find none. */
	listSubUsersInState(query: SubUserPageQuery): Promise<SubUserStep>;
	/**
	 * The terms of a sub-user and what of them is used. Undefined if the reseller has no such sub-user. `owner` is whose read it
	 * is, if not the reseller's.
	 */
	findDetails(reseller: string, username: string, owner?: string): Promise<StoredDetails | undefined>;
	/** When the reseller's sub-user with this name was deleted. `owner` is whose read it is, if not the reseller's. */
	findDeletion(reseller: string, username: string, owner?: string): Promise<StoredDeletion | undefined>;
}

export interface SubUserPageQuery {
	readonly reseller: string;
	/** The name before the page; `''` for the first one. */
	readonly after: string;
	/** Only names that begin with it. Its characters are those of names. */
	readonly prefix: string;
	/** `undefined`: all. */
	readonly state?: SubUserState | undefined;
	readonly limit: number;
}

export type SubUserInState = Account & { readonly state: SubUserState };

interface SubUserStep {
	readonly subUsers: readonly SubUserInState[];
	/** The name after which the next step begins; `null` if nothing is left. */
	readonly next: string | null;
}

export interface StoredDetails {
	readonly username: string;
	readonly state: SubUserState;
	readonly terms: Terms;
	/** Bytes of this UTC day, this UTC month and all time, up and down together. */
	readonly usedOfDay: number;
	readonly usedOfMonth: number;
	readonly usedOfTotal: number;
	/** Connections that edges lately said are open. `null` without a limit of connections. */
	readonly openConnections: number | null;
	/** When it last used bandwidth, in Unix milliseconds. Of usage that an older version counted, the start of its day. */
	readonly lastSeenAtMs: number | null;
}

export interface StoredDeletion {
	readonly username: string;
	/** Unix milliseconds. */
	readonly createdAtMs: number;
	readonly deletedAtMs: number;
}
