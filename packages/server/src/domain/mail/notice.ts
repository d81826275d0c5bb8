import type { MailKind } from '@bursar/contract/dashboard';
import { PAYMENT_PROVIDERS, type PaymentProviderName } from '@bursar/contract/payments';
import type { OffReason } from '@bursar/contract/webhooks';
import type { Happening } from '../events/happening.ts';

/** Something that people have mail about. It is written in the transaction of its cause. */
export type Notice = {
	readonly [Kind in MailKind]: {
		readonly kind: Kind;
		readonly to: Readers;
		/** Unix milliseconds. */
		readonly atMs: number;
		readonly facts: NoticeFacts[Kind];
	};
}[MailKind];

/** The mail that brings a link to its person. It is no choice, and has no notices: it is about the link that holds. */
export const LINK_MAIL = 'link';

export type LetterKind = MailKind | typeof LINK_MAIL;

/** A lasting state is mailed once, when it begins: its alarm stays raised until it ends. */
export type AlarmKind = 'silent_edge' | 'failed_verification';

/** Whose choice it is to have the mail: one person, all people of a reseller, or all operators. */
export type Readers = { readonly person: string } | { readonly reseller: string } | 'operators';

/** The facts of each kind of notice. No secret, because mail is read on its way. */
interface NoticeFacts {
	readonly new_sign_in: { readonly browser: string; readonly address: string };
	/** Whether it was the person, signed in, or the link of a mail; and from where. */
	readonly password_changed: { readonly by: 'session' | 'link'; readonly address: string };
	/** The last four characters of the new token, and who made it: an e-mail address, or `MADE_BY_OPERATOR`. */
	readonly token_changed: { readonly change: 'rotated' | 'ended'; readonly tail: string; readonly by: string };
	/** USD cents: below zero if it was taken back. */
	readonly payment: {
		readonly payment: string;
		readonly provider: PaymentProviderName;
		readonly amountCents: number;
		readonly balanceCents: number;
	};
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
	/** The host of its URL, and why. */
	readonly webhook_off: {
		readonly webhook: string;
		readonly host: string;
		readonly reason: Exclude<OffReason, 'switched_off' | 'copied' | 'secret_lost'>;
	};
	readonly silent_edge: { readonly edge: string; readonly lastSeenAtMs: number };
	/** How many problems it has found; `null` if it could not be finished. */
	readonly failed_verification: { readonly problems: number | null };
}

/** A notice as the outbox keeps it. */
export type StoredNotice<Kind extends MailKind = MailKind> = NoticeFacts[Kind] & { readonly atMs: number };

/**
 * How many notices a mail lists one by one. It says how many more there are.
 * @bound Notices that a mail lists: it says how many more there are.
 */
export const NOTICES_LISTED = 20;

interface MailRules {
	readonly for: 'everybody' | 'resellers' | 'operators';
	/** Whether people who have not chosen get it. */
	readonly isWantedAtFirst: boolean;
	/**
	 * Whether waiting notices are still sent if the person turns these mails off. A thief of a session must not be able to
	 * stop the mail about it.
	 */
	readonly isSentAnyway: boolean;
}

/**
 * Mails about the security of an account, and about faults that need a person, are sent unless the reader turns them off.
 * Mails about daily business are sent only if the reader asks for them.
 */
export const MAIL_RULES: Readonly<Record<MailKind, MailRules>> = {
	new_sign_in: { for: 'everybody', isWantedAtFirst: true, isSentAnyway: true },
	password_changed: { for: 'everybody', isWantedAtFirst: true, isSentAnyway: true },
	token_changed: { for: 'resellers', isWantedAtFirst: true, isSentAnyway: true },
	payment: { for: 'resellers', isWantedAtFirst: true, isSentAnyway: false },
	low_balance: { for: 'resellers', isWantedAtFirst: false, isSentAnyway: false },
	debt: { for: 'resellers', isWantedAtFirst: true, isSentAnyway: false },
	exhausted_sub_user: { for: 'resellers', isWantedAtFirst: false, isSentAnyway: false },
	webhook_off: { for: 'resellers', isWantedAtFirst: true, isSentAnyway: false },
	silent_edge: { for: 'operators', isWantedAtFirst: true, isSentAnyway: false },
	failed_verification: { for: 'operators', isWantedAtFirst: true, isSentAnyway: false },
};

/** Whether a person can have these mails. `reseller` is whom the person works for; `null` for an operator. */
export function canHaveMail(kind: MailKind, { reseller }: { readonly reseller: string | null }): boolean {
	const { for: readers } = MAIL_RULES[kind];
	return readers === 'everybody' || (readers === 'operators') === (reseller === null);
}

/** The mail about something that a reseller is told; `undefined` if there is none about it. */
export function noticeOf({ reseller, username, atMs, cause, ...told }: Happening): Notice | undefined {
	const about = { to: { reseller }, atMs };
	switch (told.type) {
		case 'token.rotated': {
			const { change, token_tail: tail, made_by: by } = told.data;
			return { ...about, kind: 'token_changed', facts: { change, tail, by } };
		}
		case 'reseller.credited': {
			const { payment, reference, amount_usd_cents: amountCents, balance: balanceCents } = told.data;
			const provider = PAYMENT_PROVIDERS.find((name) => reference.startsWith(`${name}:`));
			if (payment === undefined || !provider) return undefined;
			return { ...about, kind: 'payment', facts: { payment, provider, amountCents, balanceCents } };
		}
		case 'reseller.balance_low': {
			const { balance: balanceCents, threshold: lowBalanceCents } = told.data;
			return { ...about, kind: 'low_balance', facts: { balanceCents, lowBalanceCents } };
		}
		case 'reseller.debt': {
			const { state, debt: debtCents, line: lineCents } = told.data;
			if (state === 'paid' || state === 'within_line') return undefined;
			const isBeyondLine = debtCents > lineCents;
			return { ...about, kind: 'debt', facts: { debtCents, lineCents, isBeyondLine, username } };
		}
		case 'sub_user.unusable': {
			// If the reseller itself has taken the balance back, it knows.
			const hasRunOut = told.data.reason === 'exhausted' && cause.requestId === undefined;
			if (!hasRunOut || username === undefined) return undefined;
			return { ...about, kind: 'exhausted_sub_user', facts: { username } };
		}
		default:
			return undefined;
	}
}
