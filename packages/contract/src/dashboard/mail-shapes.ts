/** What people may have mail about, besides mail about others. In the order in which pages show them. */
export const MAIL_KINDS = [
	'new_sign_in',
	'token_changed',
	'low_balance',
	'debt',
	'exhausted_sub_user',
	'silent_edge',
	'failed_verification',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** Which mails a person gets. */
export interface MailChoices {
	/** Whether the operator has set up mail. If not, nobody gets any. */
	readonly is_set_up: boolean;
	/** Those that the person can have. */
	readonly choices: readonly MailChoice[];
}

export interface MailChoice {
	readonly mail: MailKind;
	readonly wanted: boolean;
}

/** What the link at the end of a mail stops. */
export interface StoppedMail {
	readonly mail: MailKind;
	/** Whether the person still gets it. */
	readonly wanted: boolean;
}

/** How the mails of the whole service fare, for operators. */
export interface MailHealth {
	/** Host and port of the SMTP server; `null` if mail is not set up. */
	readonly server: string | null;
	/** From which address the mails are. */
	readonly from: string | null;
	/** How many mails wait: to be sent, or to be tried again. */
	readonly waiting: number;
	/** How many of them have failed before. */
	readonly failing: number;
	/** When the oldest of those that failed was begun. */
	readonly failing_since: string | null;
	/** What the server answered last to one of them, without its own words. */
	readonly last_failure: string | null;
	/** How many mails were given up, ever. */
	readonly given_up: number;
}
