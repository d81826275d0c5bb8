import type { Role } from '@bursar/contract/dashboard';

/** The reads of the operator's commands and metrics. */
export interface OperatorReads {
	/** The state of the store itself. Rejects with `StoreUnavailableError`. */
	readState(): Promise<StoreState>;
	/**
	 * Recomputes every balance from the ledger, and checks whose people are, in one snapshot. Changes nothing. Neither
	 * writers nor other reads wait for it. `onProgress` is called when a step begins, and at the end.
	 */
	verifyLedger(onProgress?: (done: number, steps: number) => void): Promise<LedgerVerification>;
}

export interface StoreState {
	/** The number of the newest migration that was applied. */
	readonly schema: number;
	/** The last verification of the ledger that was finished. */
	readonly verification: { readonly endedAtMs: number; readonly problems: number } | undefined;
	/** When `bursar backup` last made a backup, in Unix milliseconds; `undefined` if it never has. */
	readonly lastBackupAtMs: number | undefined;
	/** The origin of the dashboard of the service that was started last; `undefined` if none was started with it. */
	readonly publicUrl: string | undefined;
	/** How many resellers have a price. */
	readonly meteredResellers: number;
}

export interface PeopleQuery {
	/** The beginning of the address. Absent: any. */
	readonly search?: string | undefined;
	/** Absent: operators and the people of resellers. */
	readonly of?: 'operators' | 'resellers' | undefined;
	/** The address before the page; `undefined` for the first one. */
	readonly after?: string | undefined;
	readonly descends?: boolean | undefined;
	readonly limit: number;
}

export interface ListedPerson {
	readonly email: string;
	/** `null` for an operator. */
	readonly reseller: string | null;
	/** `null` for an operator. */
	readonly role: Role | null;
	readonly state: 'invited' | 'active' | 'locked';
	readonly secondFactor: boolean;
	/** How many sessions are live. */
	readonly sessions: number;
	/** Unix milliseconds; `null` if the person has no live session. */
	readonly lastSeenAtMs: number | null;
}

export interface LedgerVerification {
	readonly accounts: number;
	readonly transfers: number;
	readonly problems: readonly LedgerProblem[];
}

/** An account, a reseller or a person that breaks a rule of the ledger. */
export interface LedgerProblem {
	/** A username, the e-mail address of a person, or the id of a person that does not exist. */
	readonly name: string;
	readonly problem: string;
}
