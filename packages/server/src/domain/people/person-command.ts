import type { ActRefusal, NoOutcome } from '../command.ts';
import type { TakenMail } from '../mail/mail.ts';
import type { MailCommand } from '../mail/mail-command.ts';
import type { OperatorCommand } from '../operators/operator-command.ts';
import type { Bytes } from '../usage.ts';
import type { OwnCommand } from './own-change.ts';
import type { Session } from './person.ts';
import type { SignInCommand } from './sign-in-command.ts';

/**
 * Only these commands change people, their mails, edges, corrections of bandwidth, and which verifications there are. They run one by one, over all processes.
 * E-mail addresses are normalized. All hashes are SHA-256, base64url.
 */
export type PersonCommand = SignInCommand | OwnCommand | OperatorCommand | MailCommand;

type OwnKind = OwnCommand['kind'];

/** Why the rules refuse a command about a person. */
interface PersonRuleRefusal extends Record<OwnKind, string> {
	invite_person: 'unknown_reseller' | 'email_taken' | 'team_full';
	make_claim: 'operator_exists';
	reset_person: 'unknown_person';
	lock_person: 'unknown_person';
	unlock_person: 'unknown_person';
	remove_person: 'unknown_person' | 'last_operator';
	/** `not_for_operators`: the person is one, and so has no role. */
	set_role: 'unknown_person' | 'not_for_operators';
	end_all_sessions: never;
	count_try: 'too_many_tries';
	return_try: never;
	accept_invitation: 'invalid_link';
	claim: 'invalid_link' | 'email_taken';
	/** `factor_changed`: the person was locked, or the password or passkey is not the verified one any more. */
	sign_in: 'factor_changed' | 'code_required' | 'wrong_code' | 'challenge_used' | 'signed_out';
	record_failure: never;
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
	set_low_balance: 'signed_out' | 'act_repeated' | 'invalid_amount' | 'not_allowed';
	show_auth_key: 'signed_out' | 'act_repeated' | 'not_allowed';
	choose_mail: 'signed_out' | 'act_repeated' | 'not_allowed' | 'unknown_mail';
	stop_mail: 'unknown_mail';
	take_mails: never;
	end_try: never;
	raise_alarm: never;
	end_alarm: never;
	begin_verification: 'verification_runs';
	create_edge: 'invalid_edge_name' | 'edge_exists' | 'too_many_edges';
	link_edge: 'invalid_edge_name' | 'edge_exists' | 'too_many_edges';
	join_edge: 'invalid_link';
	revoke_edge: 'unknown_edge';
	correct_usage:
		| 'invalid_reference'
		| 'invalid_reason'
		| 'invalid_bytes'
		| 'unknown_username'
		| 'reference_conflict'
		| 'day_ahead'
		| 'too_few_bytes'
		| 'too_many_bytes';
	import_usage: never;
}

/** Why a command is refused. If no operator gives it on the dashboard, no act is refused. */
export type PersonRefusalReason<C extends PersonCommand = PersonCommand> =
	| PersonRuleRefusal[C['kind']]
	| NoOutcome
	| RefusalOfOperator<C>;
/** `own_account`: whoever asks on the dashboard locks, resets, removes or gives a role to nobody but others. */
type RefusalOfOperator<C> = C extends unknown ? ('by' extends keyof C ? ActRefusal | 'own_account' : never) : never;

export interface PersonRefusal<Reason extends PersonRefusalReason = PersonRefusalReason> {
	readonly ok: false;
	readonly error: Reason;
	/** How long to wait before the next try, in milliseconds. Only with `too_many_tries`. */
	readonly waitMs?: number;
	/** Whether it was not run because its owner has too much waiting. */
	readonly isAskersBound?: true;
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

interface PersonSuccess extends Record<Exclude<OwnKind, 'set_codes' | 'add_passkey'>, Done> {
	invite_person: Linked;
	make_claim: Omit<Linked, 'email'>;
	reset_person: Linked;
	lock_person: Done;
	unlock_person: Done;
	remove_person: Done;
	set_role: Done;
	/** How many sessions ended. */
	end_all_sessions: { readonly ok: true; readonly sessions: number };
	count_try: Done;
	return_try: Done;
	accept_invitation: { readonly ok: true; readonly session: Session };
	claim: { readonly ok: true; readonly session: Session };
	sign_in: { readonly ok: true; readonly session: Session };
	record_failure: Done;
	sign_out: Done;
	begin_verification: Done;
	create_edge: Done;
	link_edge: { readonly ok: true; readonly expiresAtMs: number };
	join_edge: Done;
	revoke_edge: Done;
	/** The bytes of the day now. `repeated`: the reference was used before for the same, and nothing was changed. */
	correct_usage: { readonly ok: true; readonly repeated: boolean } & Bytes;
	import_usage: Done;
	stop_mail: Done;
	/** The mails to send, and how many were given up because they could not be sent for too long. */
	take_mails: { readonly ok: true; readonly mails: readonly TakenMail[]; readonly givenUp: number };
	end_try: Done;
	raise_alarm: Done;
	end_alarm: Done;
	/** Whether the new recovery codes count. */
	set_codes: { readonly ok: true; readonly madeRecoveryCodes: boolean };
	add_passkey: { readonly ok: true; readonly madeRecoveryCodes: boolean };
}

/** The outcome of a command about a person: its own kind of success, or a refusal. */
export type PersonOutcomeOf<C extends PersonCommand> = PersonSuccess[C['kind']] | PersonRefusal<PersonRefusalReason<C>>;
export type PersonOutcome = PersonOutcomeOf<PersonCommand>;
