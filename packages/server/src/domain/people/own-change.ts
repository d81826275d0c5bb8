import type { MailKind } from '@bursar/contract/dashboard';
import type { PersonAct } from './act.ts';
import type { OneTimeCodes, Passkey } from './person.ts';

/** What people change themselves. Each change is an act, and needs a live session. */
export type OwnCommand =
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
	| ChooseMail;

/** What a person does, and who it is. The session must still be live. */
export interface OwnChange {
	readonly person: string;
	readonly sessionHash: string;
	readonly act: PersonAct;
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

/** Says whether the person wants mails of this kind. */
export interface ChooseMail extends OwnChange {
	readonly kind: 'choose_mail';
	readonly mail: MailKind;
	readonly isWanted: boolean;
}
