import type { MailKind } from '@bursar/contract/dashboard';
import type { AlarmKind } from '../../domain/mail/notice.ts';

/** What is read about mails. Each read throws `StoreUnavailableError` if the store cannot be asked. */
export interface MailReads {
	/** Whether a mail is due at this time, in Unix milliseconds. */
	hasDueMail(atMs: number): Promise<boolean>;
	/** Whether a person wants mails of each kind. */
	findMailChoices(person: string): Promise<Readonly<Record<MailKind, boolean>>>;
	/** A page of the resellers that want a warning of a low balance, by name. Heavy. */
	listLowBalances(after: string, limit: number): Promise<readonly WatchedBalance[]>;
	/** The subjects of the alarms of one kind that are raised. */
	listAlarms(kind: Exclude<AlarmKind, 'low_balance'>): Promise<readonly string[]>;
	/** How the mails fare. Heavy. */
	readOutbox(): Promise<OutboxState>;
}

export interface WatchedBalance {
	readonly reseller: string;
	/** The live balance, in USD cents. */
	readonly balanceCents: number;
	/** Below it, the balance is low. */
	readonly lowBalanceCents: number;
	readonly isAlarmRaised: boolean;
}

export interface OutboxState {
	readonly waiting: number;
	/** How many of those that wait have failed before. */
	readonly failing: number;
	/** When the oldest of them was begun, in Unix milliseconds. */
	readonly failingSinceMs: number | null;
	/** The failure of the one that was begun last. */
	readonly failure: string | null;
	readonly givenUp: number;
}
