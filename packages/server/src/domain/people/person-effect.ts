import type { MailKind } from '@bursar/contract/dashboard';
import type { Edge } from '../edge.ts';
import type { MailEffect } from '../mail/mail.ts';
import type { AlarmKind, Notice } from '../mail/notice.ts';
import type { Brand } from '../operators/brand.ts';
import type { OperatorToken } from '../operators/operator-token.ts';
import type { UsageCorrection } from '../operators/usage-correction.ts';
import type { NewVerification } from '../operators/verification.ts';
import type { RecordedAct } from './act.ts';
import type { Invitation, OneTimeCodes, Passkey, Person, Session } from './person.ts';
import type { Tries } from './tries.ts';

type NewEdgeKey = Pick<Edge, 'name' | 'keyTail' | 'createdAtMs'> & { readonly keyHash: string };

interface NewEdgeLink {
	readonly name: string;
	readonly linkHash: string;
	readonly linkExpiresAtMs: number;
	readonly createdAtMs: number;
}

/** What a decision changes. */
export type PersonEffect =
	| { readonly kind: 'add_person'; readonly person: Person }
	/** Sets the role, the password and since when the person is locked. */
	| { readonly kind: 'change_person'; readonly person: Person }
	/** Removes the person and everything of theirs but their acts, which still name them. */
	| { readonly kind: 'remove_person'; readonly person: Person; readonly removedAtMs: number }
	/** Replaces the person's previous link. Its secret is kept, sealed, only if it is to be mailed. */
	| { readonly kind: 'set_invitation'; readonly invitation: Invitation; readonly mailedSecret?: string | undefined }
	/** Mails the link of `set_invitation` to its person. */
	| { readonly kind: 'mail_link'; readonly person: string; readonly atMs: number }
	| { readonly kind: 'remove_invitation'; readonly person: string }
	| { readonly kind: 'remove_all_invitations' }
	/** Edges that wait for their host then have a link that is over. */
	| { readonly kind: 'end_all_edge_links' }
	| { readonly kind: 'add_session'; readonly session: Session }
	| { readonly kind: 'remove_session'; readonly hash: string }
	| { readonly kind: 'remove_all_sessions' }
	/** Replaces the person's previous codes. */
	| { readonly kind: 'set_codes'; readonly codes: OneTimeCodes }
	| { readonly kind: 'remove_codes'; readonly person: string }
	/** The recovery codes that the person has from now on. */
	| { readonly kind: 'replace_recovery_codes'; readonly person: string; readonly hashes: readonly string[] }
	| { readonly kind: 'add_passkey'; readonly passkey: Passkey }
	/** Sets the name, the counter and the last use. */
	| { readonly kind: 'change_passkey'; readonly passkey: Passkey }
	| { readonly kind: 'remove_passkey'; readonly id: string }
	| { readonly kind: 'set_tries'; readonly tries: Tries }
	| { readonly kind: 'remove_tries'; readonly key: string }
	/** Removes counts that are forgiven at this time, in Unix milliseconds, `FORGET_AT_ONCE` at most. */
	| { readonly kind: 'forget_tries'; readonly atMs: number }
	| { readonly kind: 'use_challenge'; readonly hash: string; readonly expiresAtMs: number }
	/** Removes challenges that expired before this time, in Unix milliseconds, `FORGET_AT_ONCE` at most. */
	| { readonly kind: 'forget_challenges'; readonly beforeMs: number }
	/** `null` removes the bound. */
	| { readonly kind: 'set_low_balance'; readonly reseller: string; readonly lowBalanceCents: number | null }
	/** Ends those that were not recorded any more, and keeps the newest `KEPT_VERIFICATIONS`, this one included. */
	| { readonly kind: 'begin_verification'; readonly verification: NewVerification }
	/** Adds an edge, or gives the edge with this name a new key. Ends its link. */
	| { readonly kind: 'set_edge_key'; readonly edge: NewEdgeKey }
	/** Adds an edge without a key, or gives the edge with this name a new link. */
	| { readonly kind: 'set_edge_link'; readonly edge: NewEdgeLink }
	/** Gives the edge the key of its link. */
	| { readonly kind: 'join_edge'; readonly name: string; readonly keyHash: string; readonly keyTail: string }
	| { readonly kind: 'revoke_edge'; readonly name: string; readonly revokedAtMs: number }
	| { readonly kind: 'add_operator_token'; readonly token: OperatorToken }
	| { readonly kind: 'remove_operator_token'; readonly id: string }
	| { readonly kind: 'set_brand'; readonly brand: Brand }
	/** Changes the day of the account and of its reseller, and records it. A day without bytes is removed. */
	| { readonly kind: 'correct_usage'; readonly correction: UsageCorrection }
	| MailEffect
	/** Tells everybody who wants it, if mail is set up. */
	| { readonly kind: 'notify'; readonly notice: Notice }
	| { readonly kind: 'choose_mail'; readonly person: string; readonly mail: MailKind; readonly isWanted: boolean }
	| { readonly kind: 'raise_alarm'; readonly alarm: AlarmKind; readonly subject: string; readonly sinceMs: number }
	| { readonly kind: 'end_alarm'; readonly alarm: AlarmKind; readonly subject: string }
	/** Switches off all webhooks that are on, because the store is a copy; and those on that were switched off by that. */
	| { readonly kind: 'pause_webhooks' }
	| { readonly kind: 'resume_webhooks'; readonly atMs: number }
	| { readonly kind: 'record_act'; readonly act: RecordedAct };

/**
 * More than one command adds. So expired rows do not pile up, and removing them slows no command.
 * @bound Expired counts of tries and used challenges that one command removes: later commands remove the rest.
 */
export const FORGET_AT_ONCE = 100;
