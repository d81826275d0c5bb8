/** The subjects of mails that people can choose. In the order in which pages show them. */
export const MAIL_KINDS = [
	'new_sign_in',
	'password_changed',
	'token_changed',
	'payment',
	'low_balance',
	'debt',
	'exhausted_sub_user',
	'webhook_off',
	'silent_edge',
	'failed_verification',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/**
 * Whether the link of a person is mailed to them, or why not: the service sends no mail, the person is locked, or too many
 * links were mailed for the people of this reseller.
 */
export type LinkMailing = 'mailed' | 'not_set_up' | 'locked' | 'too_many';

/** The mails that a person gets. */
export interface MailChoices {
	/** Whether the operator has set up mail. If not, no person gets any. */
	readonly is_set_up: boolean;
	/** The mails that the person can choose. */
	readonly choices: readonly MailChoice[];
}

export interface MailChoice {
	readonly mail: MailKind;
	readonly wanted: boolean;
}

/** The kind of mail that the link at the end of a mail stops. */
export interface StoppedMail {
	readonly mail: MailKind;
	/** Whether the person still gets it. */
	readonly wanted: boolean;
}

/** The mails of the whole service, for operators. */
export interface MailHealth {
	/** Host and port of the SMTP server; `null` if mail is not set up. */
	readonly server: string | null;
	/** The sender of the mails. */
	readonly from: string | null;
	/** How many mails wait: to be sent, or to be tried again. */
	readonly waiting: number;
	/** How many of them have failed before. */
	readonly failing: number;
	/** When the oldest of those that failed was begun. */
	readonly failing_since: string | null;
	/** The last answer of the server to one of them, without its own words. */
	readonly last_failure: string | null;
	/** How many mails were given up, ever. */
	readonly given_up: number;
}
