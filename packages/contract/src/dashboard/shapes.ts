import type { ActDetails } from '../act-details.ts';
import type { ShownBrand } from './brand-shapes.ts';
import type { Role } from './roles.ts';

/** The person who uses the dashboard. Times are ISO 8601 in UTC, everywhere. */
export interface Presence {
	/** `null` if nobody is signed in. */
	readonly person: PresentPerson | null;
	/** The only origin at which the dashboard works, like `https://bursar.example`. */
	readonly public_url: string;
	/** Whether passkeys work at that origin. */
	readonly passkeys: boolean;
	/** A few seconds old at most. */
	readonly brand: ShownBrand;
	/** Whether the service sends mail. Only then, people who forgot the password get a link. */
	readonly sends_mail: boolean;
	/** Whether resellers can pay through a payment provider. */
	readonly takes_payments: boolean;
}

export interface PresentPerson {
	readonly email: string;
	/** `null` for an operator. */
	readonly reseller: string | null;
	/** `null` for an operator. */
	readonly role: Role | null;
	/** Until when changes that need a proof are accepted; `null` if there is no fresh proof. */
	readonly proven_until: string | null;
	/** Whether a proof with the password needs a code too. */
	readonly code_required: boolean;
	/** Whether the person has one-time codes. Without them, the code is a recovery code. */
	readonly one_time_codes: boolean;
	/** Whether the person has a passkey. */
	readonly has_passkey: boolean;
	/** Whether this operator must add a second factor before anything else. */
	readonly second_factor_required: boolean;
}

export interface InvitedPerson {
	/** `null` for a link by which the first operator claims the service and chooses the address. */
	readonly email: string | null;
	/** `null` for an operator. */
	readonly reseller: string | null;
	/** `null` for an operator. */
	readonly role: Role | null;
	/** Whether the link only signs in, without a new password. */
	readonly signs_in: boolean;
	/** Whether the person has never used the dashboard. Otherwise the link is for a forgotten password. */
	readonly new_person: boolean;
	readonly expires: string;
}

/** The link of a person who forgot the password. */
export interface PasswordLink {
	readonly email: string;
	readonly expires: string;
}

export interface Account {
	readonly email: string;
	readonly reseller: string | null;
	readonly one_time_codes: boolean;
	/** How many recovery codes are left. */
	readonly recovery_codes: number;
	/** The oldest first. */
	readonly passkeys: readonly AccountPasskey[];
	/** The last used first. */
	readonly sessions: readonly AccountSession[];
}

export interface AccountPasskey {
	readonly id: string;
	readonly name: string;
	readonly created: string;
	readonly last_used: string | null;
}

export interface AccountSession {
	readonly id: string;
	/** Whether it is the session of this request. */
	readonly current: boolean;
	/** Like `Firefox on Windows`. */
	readonly browser: string;
	readonly address: string;
	readonly signed_in: string;
	/** About a minute exact. */
	readonly last_seen: string;
}

export interface ActPage {
	readonly acts: readonly RecordedAct[];
	/** For the next page; `null` if this is the last one. */
	readonly next_before: number | null;
}

export interface RecordedAct {
	readonly number: number;
	/** Like `rotate_token`. */
	readonly kind: ActKind;
	/**
	 * The target of the act: a name, or the last characters of a token. May be empty. For `sign_in`, a `SignInFactor`; for
	 * a failed one, a `FailedFactor`; for `set_low_balance`, USD cents; for acts that move money, a `moneyTarget`; for
	 * `set_price`, a `priceTarget`; for `set_brand`, a `brandTarget`; for `show_auth_key`, one or more names with spaces between; for `want_mail` and
	 * `stop_mail`, a `MailKind`.
	 */
	readonly target: string;
	/** `null` if there are none. What whoever asks may not see is left out. */
	readonly details: ActDetails | null;
	/** The address from which it came; `null` for the command line. */
	readonly address: string | null;
	readonly at: string;
}

/** The acts of people on the dashboard, of programs over the API, and of operators on the command line. */
export const ACT_KINDS = [
	'sign_in',
	'accept_invitation',
	'claim',
	'set_password',
	'forgot_password',
	'new_password',
	'set_codes',
	'remove_codes',
	'set_recovery_codes',
	'add_passkey',
	'rename_passkey',
	'remove_passkey',
	'end_session',
	'end_other_sessions',
	'rotate_token',
	'end_all_tokens',
	'create_token',
	'end_token',
	'create_operator_token',
	'end_operator_token',
	'set_brand',
	'create_sub_user',
	'give_balance',
	'take_balance',
	'show_auth_key',
	'reset_auth_key',
	'set_low_balance',
	'create_reseller',
	'top_up',
	'adjust',
	'invite_person',
	'make_claim',
	'lock_person',
	'unlock_person',
	'reset_person',
	'remove_person',
	'set_role',
	'create_edge',
	'link_edge',
	'join_edge',
	'revoke_edge',
	'verify_ledger',
	'failed_sign_in',
	'failed_proof',
	'end_all_sessions',
	'import_usage',
	'correct_usage',
	'set_price',
	'forgive_debt',
	'create_top_up',
	'ask_payment_read',
	'suspend_sub_user',
	'resume_sub_user',
	'set_limits',
	'set_note',
	'set_sign_in_ips',
	'delete_sub_user',
	'suspend_reseller',
	'resume_reseller',
	'note_reseller',
	'allow_sign_in_by_address',
	'change_master_key',
	'replace_master_key',
	'create_webhook',
	'update_webhook',
	'delete_webhook',
	'rotate_webhook_secret',
	'test_webhook',
	'pause_webhooks',
	'resume_webhooks',
	'want_mail',
	'stop_mail',
] as const;
export type ActKind = (typeof ACT_KINDS)[number];

/**
 * The factors with which a person signed in. The codes are entered with the password. A link of `bursar dev` only signs in.
 */
export type SignInFactor = 'password' | 'one_time_code' | 'recovery_code' | 'passkey' | 'link';

/** The wrong factor of a failed sign-in. A code is wrong only with the right password. */
export type FailedFactor = 'password' | 'code' | 'passkey';

/** A secret for one-time codes that is not in use yet. */
export interface CodesSetup {
	/** The secret in base32, for apps without a camera. */
	readonly secret: string;
	/** `otpauth://...`, for the QR code. */
	readonly uri: string;
	/** Sent back with the first code. Good for 10 minutes. */
	readonly setup: string;
}

export interface NewRecoveryCodes {
	/** Shown once: the store keeps only their hashes. */
	readonly recovery_codes: readonly string[];
	readonly account: Account;
}

/** The options of the browser's `navigator.credentials`, in the JSON form of WebAuthn. */
export type PasskeyQuestion = Readonly<Record<string, unknown>>;
/** The answer of `navigator.credentials`, in the JSON form of WebAuthn. */
export type PasskeyAnswer = Readonly<Record<string, unknown>>;

/** The tokens of a reseller. */
export interface TokenState {
	readonly reseller: string;
	/** The base address of the API, for programs. */
	readonly api_url: string;
	readonly current: CurrentToken;
	/** The token that the last rotation replaced, until it is refused everywhere; otherwise `null`. */
	readonly previous: PreviousToken | null;
}

export interface CurrentToken {
	/** The last four characters. */
	readonly tail: string;
	readonly made: string;
	/** `operator`, or the e-mail address of a person. */
	readonly made_by: string;
	/** Up to about 90 seconds late; `null` if it was never used. */
	readonly last_used: string | null;
}

export interface PreviousToken {
	readonly tail: string;
	/** From this time on it is refused. */
	readonly expires: string;
	/** From this time on no process accepts it, not even one that is cut off. A new rotation is possible then. */
	readonly dead: string;
	readonly last_used: string | null;
}

export interface NewToken {
	/** Shown once: the store keeps only its hash. */
	readonly token: string;
	readonly state: TokenState;
}
