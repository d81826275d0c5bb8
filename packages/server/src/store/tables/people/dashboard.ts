import type { Invitation, Person, PersonRecord, Session } from '../../../domain/people/person.ts';
import type { StoredToken } from '../tokens/tokens.ts';

/** The reads of the dashboard. Each throws `StoreUnavailableError` if the store cannot be asked. */
export interface DashboardReads {
	/** The session with this hash, expired or not, and everything about its person. */
	findSession(hash: string): Promise<SignedIn | undefined>;
	/** Everything about the person with this normalized e-mail address. */
	findPersonByEmail(email: string): Promise<PersonRecord | undefined>;
	/** Everything about the person with this passkey. */
	findPersonByPasskey(id: string): Promise<PersonRecord | undefined>;
	/** The invitation with this hash, expired or not. A claim is not found once there is an operator. */
	findInvitation(hash: string): Promise<FoundInvitation | undefined>;
	/** A page of the person's acts and of failed tries to sign in as this person, the newest first, before this number. */
	listActs(person: string, before: number, limit: number): Promise<readonly NumberedAct[]>;
	/** All tokens of the reseller, retired ones too. `owner` is whose read it is, if not the reseller's. */
	listTokens(reseller: string, owner?: string): Promise<readonly StoredToken[]>;
}

interface FoundInvitation {
	readonly invitation: Invitation;
	/** `undefined` for a claim. */
	readonly person: Person | undefined;
}

export interface SignedIn {
	readonly session: Session;
	readonly record: PersonRecord;
}

export interface NumberedAct {
	/** Grows with time. */
	readonly number: number;
	readonly id: string;
	readonly person: string;
	/** The public id of the session; `null` for a failed try. */
	readonly session: string | null;
	readonly address: string;
	readonly kind: string;
	readonly target: string;
	/** Unix milliseconds. */
	readonly atMs: number;
}
