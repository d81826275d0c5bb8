import type { Act } from './act.ts';
import type { Invitation, OneTimeCodes, Passkey, Session } from './person.ts';
import type { TryLimit } from './tries.ts';

/** Only these commands change people. E-mail addresses are normalized. All hashes are SHA-256, base64url. */
export type PersonCommand =
	| InvitePerson
	| ResetPerson
	| LockPerson
	| UnlockPerson
	| EndAllSessions
	| CountTry
	| AcceptInvitation
	| SignIn
	| NoteSessionUse
	| SignOut
	| SetPassword
	| SetCodes
	| RemoveCodes
	| SetRecoveryCodes
	| AddPasskey
	| RenamePasskey
	| RemovePasskey
	| EndSessions
	| SetLowBalance
	| ShowAuthKey
	| BeginVerification
	| NoteVerification
	| CreateEdge
	| RevokeEdge
	| NoteEdgeUses;

/**
 * Invites a new person, or makes a new link for one who has never set a password. A link that only signs in can be made
 * for any person of that reseller.
 */
export interface InvitePerson {
	readonly kind: 'invite_person';
	/** For a new person. */
	readonly id: string;
	readonly email: string;
	/** `null` for an operator. */
	readonly reseller: string | null;
	readonly linkHash: string;
	readonly purpose: Invitation['purpose'];
	/** The operator who asks on the dashboard. Absent for the command line. */
	readonly by?: OwnChange | undefined;
}

/** Removes the password and all factors, ends all sessions, and makes a new link. */
export interface ResetPerson {
	readonly kind: 'reset_person';
	readonly email: string;
	readonly linkHash: string;
}

/** Ends all sessions, and lets the person sign in no more. */
export interface LockPerson {
	readonly kind: 'lock_person';
	readonly email: string;
}

export interface UnlockPerson {
	readonly kind: 'unlock_person';
	readonly email: string;
}

/** Ends the sessions and links of everybody. */
export interface EndAllSessions {
	readonly kind: 'end_all_sessions';
}

/** Counts a try for each key, before its password is looked at. If one of them is refused, none is counted. */
export interface CountTry {
	readonly kind: 'count_try';
	readonly tries: readonly { readonly key: string; readonly limit: TryLimit }[];
}

/** What a new session is made of. The rules add the times. */
export type NewSession = Pick<Session, 'id' | 'hash' | 'browser' | 'address'>;

export interface AcceptInvitation {
	readonly kind: 'accept_invitation';
	readonly linkHash: string;
	/** Absent if the link only signs in. */
	readonly passwordHash?: string | undefined;
	readonly session: NewSession;
	readonly actId: string;
	readonly requestId: string;
}

/** What the caller has verified. The rules refuse what was used before, and what was changed meanwhile. */
export type VerifiedFactor =
	| {
			readonly kind: 'password';
			/** The hash that the password was compared with. */
			readonly passwordHash: string;
			/** The time step of the one-time code, or the hash of the recovery code. Absent if no code was sent. */
			readonly code?: { readonly step: number } | { readonly recoveryHash: string } | undefined;
	  }
	| {
			readonly kind: 'passkey';
			readonly id: string;
			readonly counter: number;
			readonly challengeHash: string;
			/** Until when the challenge could be used, in Unix milliseconds. */
			readonly challengeExpiresAtMs: number;
	  };

/** Starts a session. For a proof, replaces the session that asks: it keeps its id and its end. */
export interface SignIn {
	readonly kind: 'sign_in';
	readonly person: string;
	readonly factor: VerifiedFactor;
	readonly session: NewSession;
	/** The hash of the session that is replaced. */
	readonly replaces?: string | undefined;
	/** Counts of tries that are forgiven if it succeeds. */
	readonly forgives: readonly string[];
	/** Absent for a proof. */
	readonly actId?: string | undefined;
	readonly requestId: string;
}

/** Notes when a session was last used. Does nothing if it has ended. */
export interface NoteSessionUse {
	readonly kind: 'note_session_use';
	readonly person: string;
	readonly sessionHash: string;
	/** Unix milliseconds. */
	readonly usedAtMs: number;
}

export interface SignOut {
	readonly kind: 'sign_out';
	readonly person: string;
	readonly sessionHash: string;
}

/** What a person does, and who it is. The session must still be live. */
export interface OwnChange {
	readonly person: string;
	readonly sessionHash: string;
	readonly act: Act;
}

/** Ends all other sessions. */
export interface SetPassword extends OwnChange {
	readonly kind: 'set_password';
	readonly passwordHash: string;
}

/** Replaces the person's one-time codes. `recoveryCodes` count only if the person has none. */
export interface SetCodes extends OwnChange {
	readonly kind: 'set_codes';
	readonly codes: Omit<OneTimeCodes, 'person'>;
	/** The setup that the secret is from. Its codes could count twice if it was good again after they were removed. */
	readonly challengeHash: string;
	readonly challengeExpiresAtMs: number;
	readonly recoveryCodes: readonly string[];
}

export interface RemoveCodes extends OwnChange {
	readonly kind: 'remove_codes';
}

interface SetRecoveryCodes extends OwnChange {
	readonly kind: 'set_recovery_codes';
	readonly recoveryCodes: readonly string[];
}

export interface AddPasskey extends OwnChange {
	readonly kind: 'add_passkey';
	readonly passkey: Omit<Passkey, 'person' | 'createdAtMs' | 'lastUsedAtMs'>;
	readonly challengeHash: string;
	readonly challengeExpiresAtMs: number;
	/** These count only if the person has none. */
	readonly recoveryCodes: readonly string[];
}

export interface RenamePasskey extends OwnChange {
	readonly kind: 'rename_passkey';
	readonly id: string;
	readonly name: string;
}

export interface RemovePasskey extends OwnChange {
	readonly kind: 'remove_passkey';
	readonly id: string;
}

/** Ends one session of the person by its public id, or all but the one that asks. */
export interface EndSessions extends OwnChange {
	readonly kind: 'end_sessions';
	readonly session: string | 'others';
}

/** Sets below which balance the overview of the person's reseller warns. */
export interface SetLowBalance extends OwnChange {
	readonly kind: 'set_low_balance';
	/** USD cents; `null`: never. */
	readonly lowBalanceCents: number | null;
}

/** Records that a proxy auth key is shown to a person of its reseller. */
export interface ShowAuthKey extends OwnChange {
	readonly kind: 'show_auth_key';
}

/** Notes that a verification of the ledger begins. Refused while another one runs. */
export interface BeginVerification {
	readonly kind: 'begin_verification';
	readonly id: string;
	/** The operator who asks on the dashboard. Absent for the command line. */
	readonly by?: OwnChange | undefined;
}

/** Notes the progress of a verification, or its end. Does nothing if it has ended. */
export interface NoteVerification {
	readonly kind: 'note_verification';
	readonly id: string;
	readonly done: number;
	readonly steps: number;
	/** Absent while it runs. `null` if it could not be finished. JSON as in `StoredVerification`. */
	readonly result?: string | null | undefined;
}

/** Makes an edge, or gives a revoked one a new key. */
export interface CreateEdge {
	readonly kind: 'create_edge';
	readonly name: string;
	readonly keyHash: string;
	readonly keyTail: string;
}

/** Ends the key of an edge. */
export interface RevokeEdge {
	readonly kind: 'revoke_edge';
	readonly name: string;
}

/** Notes what edges did in one process since its last note. Edges that do not exist are ignored. */
export interface NoteEdgeUses {
	readonly kind: 'note_edge_uses';
	/** One for each edge. */
	readonly uses: readonly EdgeUse[];
}

/** What an edge did since the last note. */
export interface EdgeUse {
	readonly name: string;
	/** When it last asked or reported anything, in Unix milliseconds. */
	readonly seenAtMs: number;
	readonly checks: number;
	readonly refusals: number;
}

type OwnChangeKind = Extract<PersonCommand, OwnChange>['kind'];

/** Why the rules refuse a command about a person. */
interface PersonRuleRefusal extends Record<OwnChangeKind, string> {
	invite_person: 'unknown_reseller' | 'email_taken' | 'signed_out' | 'proof_required' | 'act_repeated';
	reset_person: 'unknown_person';
	lock_person: 'unknown_person';
	unlock_person: 'unknown_person';
	end_all_sessions: never;
	count_try: 'too_many_tries';
	accept_invitation: 'invalid_link';
	/** `factor_changed`: the person was locked, or the password or passkey is not the verified one any more. */
	sign_in: 'factor_changed' | 'code_required' | 'wrong_code' | 'challenge_used' | 'signed_out';
	note_session_use: never;
	sign_out: never;
	set_password: 'signed_out' | 'proof_required' | 'act_repeated';
	set_codes: 'signed_out' | 'proof_required' | 'act_repeated' | 'wrong_code';
	remove_codes: 'signed_out' | 'proof_required' | 'act_repeated' | 'last_factor';
	set_recovery_codes: 'signed_out' | 'proof_required' | 'act_repeated' | 'second_factor_required';
	add_passkey:
		| 'signed_out'
		| 'proof_required'
		| 'act_repeated'
		| 'challenge_used'
		| 'too_many_passkeys'
		| 'passkey_taken';
	rename_passkey: 'signed_out' | 'act_repeated' | 'unknown_passkey';
	remove_passkey: 'signed_out' | 'proof_required' | 'act_repeated' | 'unknown_passkey' | 'last_factor';
	end_sessions: 'signed_out' | 'act_repeated' | 'unknown_session';
	set_low_balance: 'signed_out' | 'act_repeated' | 'invalid_amount' | 'not_for_operators';
	show_auth_key: 'signed_out' | 'act_repeated' | 'not_for_operators';
	begin_verification: 'signed_out' | 'proof_required' | 'act_repeated' | 'verification_runs';
	note_verification: never;
	create_edge: 'invalid_edge_name' | 'edge_exists' | 'too_many_edges';
	revoke_edge: 'unknown_edge';
	note_edge_uses: never;
}

/** Reasons that any command may have, as in `command.ts`. */
type NoOutcome = 'rules_failed' | 'not_done' | 'outcome_unknown';

export type PersonRefusalReason<C extends PersonCommand = PersonCommand> = PersonRuleRefusal[C['kind']] | NoOutcome;

export interface PersonRefusal<Reason extends PersonRefusalReason = PersonRefusalReason> {
	readonly ok: false;
	readonly error: Reason;
	/** How long to wait before the next try, in milliseconds. Only with `too_many_tries`. */
	readonly waitMs?: number;
}

interface Linked {
	readonly ok: true;
	readonly email: string;
	/** When the new link ends, in Unix milliseconds. */
	readonly expiresAtMs: number;
}

interface Done {
	readonly ok: true;
}

interface PersonSuccess extends Record<Exclude<OwnChangeKind, 'set_codes' | 'add_passkey'>, Done> {
	invite_person: Linked;
	reset_person: Linked;
	lock_person: Done;
	unlock_person: Done;
	/** How many sessions ended. */
	end_all_sessions: { readonly ok: true; readonly sessions: number };
	count_try: Done;
	accept_invitation: { readonly ok: true; readonly session: Session };
	sign_in: { readonly ok: true; readonly session: Session };
	note_session_use: Done;
	sign_out: Done;
	begin_verification: Done;
	note_verification: Done;
	create_edge: Done;
	revoke_edge: Done;
	note_edge_uses: Done;
	/** Whether the new recovery codes count. */
	set_codes: { readonly ok: true; readonly madeRecoveryCodes: boolean };
	add_passkey: { readonly ok: true; readonly madeRecoveryCodes: boolean };
}

/** The outcome of a command about a person: its own kind of success, or a refusal. */
export type PersonOutcomeOf<C extends PersonCommand> = PersonSuccess[C['kind']] | PersonRefusal<PersonRefusalReason<C>>;
export type PersonOutcome = PersonOutcomeOf<PersonCommand>;
