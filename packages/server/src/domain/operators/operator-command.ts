import type { Role } from '@bursar/contract/dashboard';
import type { CommandLineAct } from '../people/act.ts';
import type { OwnChange } from '../people/own-change.ts';
import type { Invitation } from '../people/person.ts';
import type { UsageCorrection } from './usage-correction.ts';

/**
 * What operators do besides money. Beginning a verification, making, joining or revoking an edge, and correcting the bandwidth of a
 * day belong here and are no bookkeeping: an operator asks for them and gets an answer, and they may be refused for what the store holds.
 */
export type OperatorCommand =
	| InvitePerson
	| MakeClaim
	| ResetPerson
	| LockPerson
	| UnlockPerson
	| RemovePerson
	| SetRole
	| EndAllSessions
	| BeginVerification
	| CreateEdge
	| LinkEdge
	| JoinEdge
	| RevokeEdge
	| CorrectUsage
	| ImportUsage;

interface OperatorCommandBase {
	/** What is recorded of a command of the command line. */
	readonly commandLine?: CommandLineAct | undefined;
}

/**
 * Invites a new person, or makes a new link for one who has never set a password. A link that only signs in can be made
 * for any person of that reseller.
 */
export interface InvitePerson extends OperatorCommandBase {
	readonly kind: 'invite_person';
	/** For a new person. */
	readonly id: string;
	readonly email: string;
	/** `null` for an operator. */
	readonly reseller: string | null;
	/** `null` for an operator. */
	readonly role: Role | null;
	readonly linkHash: string;
	readonly purpose: Exclude<Invitation['purpose'], 'claim'>;
	/** The operator who asks on the dashboard. Absent for the command line. */
	readonly by?: OwnChange | undefined;
}

/** Makes the link with which the first operator claims the service. It replaces the previous one. */
export interface MakeClaim extends OperatorCommandBase {
	readonly kind: 'make_claim';
	/** For the new person. */
	readonly id: string;
	readonly linkHash: string;
}

/** Removes the password and all factors, ends all sessions, and makes a new link. */
export interface ResetPerson extends OperatorCommandBase {
	readonly kind: 'reset_person';
	readonly email: string;
	readonly linkHash: string;
	/** The operator who asks on the dashboard. Absent for the command line. */
	readonly by?: OwnChange | undefined;
}

/** Ends all sessions, and lets the person sign in no more. */
export interface LockPerson extends OperatorCommandBase {
	readonly kind: 'lock_person';
	readonly email: string;
	/** The operator who asks on the dashboard. Absent for the command line. */
	readonly by?: OwnChange | undefined;
}

export interface UnlockPerson extends OperatorCommandBase {
	readonly kind: 'unlock_person';
	readonly email: string;
	/** The operator who asks on the dashboard. Absent for the command line. */
	readonly by?: OwnChange | undefined;
}

/** Removes a person with all sessions, factors and links. What the person did stays recorded, with the e-mail address. */
export interface RemovePerson extends OperatorCommandBase {
	readonly kind: 'remove_person';
	readonly email: string;
	/** The operator who asks on the dashboard. Absent for the command line. */
	readonly by?: OwnChange | undefined;
}

/** Gives a person of a reseller another role. */
export interface SetRole extends OperatorCommandBase {
	readonly kind: 'set_role';
	readonly email: string;
	readonly role: Role;
	/** The owner who asks on the dashboard. Absent for the command line. */
	readonly by?: OwnChange | undefined;
}

/** Ends the sessions and links of everybody. */
export interface EndAllSessions extends OperatorCommandBase {
	readonly kind: 'end_all_sessions';
}

/** Notes that a verification of the ledger begins. Refused while another one runs. */
export interface BeginVerification extends OperatorCommandBase {
	readonly kind: 'begin_verification';
	readonly id: string;
	/** The operator who asks on the dashboard. Absent for the command line. */
	readonly by?: OwnChange | undefined;
}

/** Makes an edge, or gives a revoked one a new key. */
export interface CreateEdge extends OperatorCommandBase {
	readonly kind: 'create_edge';
	readonly name: string;
	readonly keyHash: string;
	readonly keyTail: string;
	/** The operator who asks on the dashboard. Absent for the command line. */
	readonly by?: OwnChange | undefined;
}

/** Makes an edge without a key, or takes a revoked one back, with a link by which its host gives it a key. */
export interface LinkEdge extends OperatorCommandBase {
	readonly kind: 'link_edge';
	readonly name: string;
	/** Replaces the previous link of the edge. */
	readonly linkHash: string;
	/** The operator who asks on the dashboard. Absent for the command line. */
	readonly by?: OwnChange | undefined;
}

/** Uses the link of an edge: the key is the edge's from now on. A repeat with the same key changes nothing. */
export interface JoinEdge extends OperatorCommandBase {
	readonly kind: 'join_edge';
	readonly name: string;
	readonly linkHash: string;
	readonly keyHash: string;
	readonly keyTail: string;
}

/** Ends the key of an edge, and its link. */
export interface RevokeEdge extends OperatorCommandBase {
	readonly kind: 'revoke_edge';
	readonly name: string;
	/** The operator who asks on the dashboard. Absent for the command line. */
	readonly by?: OwnChange | undefined;
}

/** Adds bytes to a day of an account, or takes them away. A repeat with the same reference changes nothing. */
export interface CorrectUsage extends Omit<UsageCorrection, 'reseller' | 'atMs'>, OperatorCommandBase {
	readonly kind: 'correct_usage';
	/** The reseller of the account. Absent for the command line, which names the account alone. */
	readonly reseller?: string | undefined;
	/** The operator who asks on the dashboard. Absent for the command line. */
	readonly by?: OwnChange | undefined;
}

/** Records that usage reports are imported. The reports follow, in transactions of their own. */
interface ImportUsage {
	readonly kind: 'import_usage';
	readonly recorded: CommandLineAct;
}
