import type { MailKind } from '@bursar/contract/dashboard';

/** Something that people have mail about. It is written in the transaction of what it tells. */
export type Notice = {
	readonly [Kind in MailKind]: {
		readonly kind: Kind;
		readonly to: Readers;
		/** Unix milliseconds. */
		readonly atMs: number;
		readonly told: Told[Kind];
	};
}[MailKind];

/** What lasts is told once, when it begins: an alarm is raised until it ends. */
export type AlarmKind = 'low_balance' | 'silent_edge' | 'failed_verification';

/** Whose choice it is to have the mail: one person, all people of a reseller, or all operators. */
export type Readers = { readonly person: string } | { readonly reseller: string } | 'operators';

/** What each kind of notice tells. No secret, because mail is read on its way. */
interface Told {
	readonly new_sign_in: { readonly browser: string; readonly address: string };
	/** The last four characters of the new token, and who made it: an e-mail address, or `MADE_BY_OPERATOR`. */
	readonly token_changed: { readonly change: 'rotated' | 'ended'; readonly tail: string; readonly by: string };
	/** USD cents. */
	readonly low_balance: { readonly balanceCents: number; readonly lowBalanceCents: number };
	readonly exhausted_sub_user: { readonly username: string };
	/** USD cents, whether the debt is beyond the line, and whose bandwidth was not covered, if that is why. */
	readonly debt: {
		readonly debtCents: number;
		readonly lineCents: number;
		readonly isBeyondLine: boolean;
		readonly username?: string | undefined;
	};
	readonly silent_edge: { readonly edge: string; readonly lastSeenAtMs: number };
	/** How many problems it has found; `null` if it could not be finished. */
	readonly failed_verification: { readonly problems: number | null };
}

/** A notice as the outbox keeps it. */
export type StoredNotice<Kind extends MailKind = MailKind> = Told[Kind] & { readonly atMs: number };

/** How many notices a mail tells one by one. Of further ones it has the number. */
export const NOTICES_TOLD = 20;

interface MailRules {
	readonly for: 'everybody' | 'resellers' | 'operators';
	/** Whether people get it who have not chosen. */
	readonly isWantedAtFirst: boolean;
	/**
	 * Whether what waits is still told if the person says no. Whoever has stolen a session must not be able to take back the
	 * mail about it.
	 */
	readonly isToldAnyway: boolean;
}

/**
 * What concerns the security of an account, and faults that somebody has to mend, are told unless a person says no. What
 * belongs to the daily business is told only if a person asks for it.
 */
export const MAIL_RULES: Readonly<Record<MailKind, MailRules>> = {
	new_sign_in: { for: 'everybody', isWantedAtFirst: true, isToldAnyway: true },
	token_changed: { for: 'resellers', isWantedAtFirst: true, isToldAnyway: true },
	low_balance: { for: 'resellers', isWantedAtFirst: false, isToldAnyway: false },
	debt: { for: 'resellers', isWantedAtFirst: true, isToldAnyway: false },
	exhausted_sub_user: { for: 'resellers', isWantedAtFirst: false, isToldAnyway: false },
	silent_edge: { for: 'operators', isWantedAtFirst: true, isToldAnyway: false },
	failed_verification: { for: 'operators', isWantedAtFirst: true, isToldAnyway: false },
};

/** Whether a person can have these mails. `reseller` is whom the person works for; `null` for an operator. */
export function canHaveMail(kind: MailKind, { reseller }: { readonly reseller: string | null }): boolean {
	const { for: readers } = MAIL_RULES[kind];
	return readers === 'everybody' || (readers === 'operators') === (reseller === null);
}
