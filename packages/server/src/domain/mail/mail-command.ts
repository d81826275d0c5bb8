import type { MailKind } from '@bursar/contract/dashboard';
import type { LinkAct } from '../people/act.ts';
import type { TakenMail, TryEnd } from './mail.ts';
import type { Notice } from './notice.ts';

/**
 * What the service does by itself so that people have mail, and what the link of a mail does. These are commands about
 * people and no bookkeeping, because two processes must not take the same mail, or raise the same alarm.
 */
export type MailCommand = TakeMails | EndTry | RaiseAlarm | EndAlarm | StopMail;

/** Takes mails that are due, for the process that asks. */
interface TakeMails {
	readonly kind: 'take_mails';
}

/** Says how a try to send a mail ended. */
export interface EndTry {
	readonly kind: 'end_try';
	readonly mail: Pick<TakenMail, 'person' | 'mail' | 'number' | 'tries'>;
	readonly end: TryEnd;
}

/** What lasts is told once, when it begins: an alarm is raised until it ends. */
export type AlarmKind = 'low_balance' | 'silent_edge' | 'failed_verification';

/** Something that lasts has begun. If its alarm is raised, nobody is told again. */
export interface RaiseAlarm {
	readonly kind: 'raise_alarm';
	/** The reseller, the edge, or the verification. */
	readonly subject: string;
	readonly notice: Extract<Notice, { readonly kind: AlarmKind }>;
}

export interface EndAlarm {
	readonly kind: 'end_alarm';
	readonly alarm: AlarmKind;
	readonly subject: string;
}

/** Somebody has opened the link of a mail that stops these mails. Nobody need be signed in for it. */
export interface StopMail {
	readonly kind: 'stop_mail';
	readonly person: string;
	readonly mail: MailKind;
	readonly recorded: LinkAct;
}
