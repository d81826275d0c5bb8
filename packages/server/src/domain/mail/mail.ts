import { type LetterKind, LINK_MAIL } from './notice.ts';

/**
 * After a mail, the next one of its kind to the same person waits this long, and has all that has happened meanwhile.
 * @bound The pause between two mails of one kind to a person: the next mail has all that happened meanwhile.
 */
const GAP_MS = 15 * 60_000;
/**
 * The same for mails with a link. A person waits for it, and others can cause few of them.
 * @bound The pause between two mails with a link to a person: the next mail has the link that holds then.
 */
const LINK_GAP_MS = 60_000;
/**
 * A process that has taken mails has this long to send them. Then they count as not sent.
 * @bound A process sends the mails that it has taken: then another process takes them.
 */
export const LEASE_MS = 10 * 60_000;
/** @bound Mails that a process takes at once, each 10 s: the rest waits. Resellers take turns. */
export const MAILS_AT_ONCE = 10;
/**
 * A mail that could not be sent for this long is given up.
 * @bound A mail could not be sent: then it is given up.
 */
const LIFE_MS = 3 * 24 * 3_600_000;
/** @bound A mail waits after each failed try: further tries wait as long as the last. */
const WAITS_MS = [1, 5, 15, 60, 180, 360].map((minutes) => minutes * 60_000);
/** No time of the outbox is further ahead, so one that is was written before the clock was set back. */
export const MOST_AHEAD_MS = 360 * 60_000;
/**
 * What is kept of an answer of the mail server.
 * @bound Characters of an answer of the mail server that are kept: the rest is cut off.
 */
export const FAILURE_CHARACTERS = 100;

/** The mails of one kind to one person: what waits for the next one, and the one that is being sent. */
export interface OutboxRow {
	readonly person: string;
	/** For whom the person works; `null` for an operator. */
	readonly reseller: string | null;
	readonly email: string;
	readonly mail: LetterKind;
	/** Whether the person is not locked, and wants it or gets it anyway. */
	readonly isWanted: boolean;
	/** For a mail with a link: the one that the person has now, if its secret can be told. */
	readonly link?: MailedLink | undefined;
	/** How many notices wait for the next mail. */
	readonly notices: number;
	/** The first of them, as lines of JSON. */
	readonly noticeLines: string;
	/** How many mails were begun. */
	readonly number: number;
	/** How many notices the mail has that is being sent; 0 if there is none. */
	readonly mailNotices: number;
	readonly mailNoticeLines: string;
	/** When that mail was begun, in Unix milliseconds. */
	readonly begunAtMs: number;
	readonly tries: number;
}

/** The link that a mail brings to its person. Its secret is told to no one else. */
export interface MailedLink {
	readonly secret: string;
	/** Why the person has it. */
	readonly reason: 'invited' | 'reset' | 'forgotten';
	/** Unix milliseconds. */
	readonly expiresAtMs: number;
}

/** A mail that a process has taken to send. */
export interface TakenMail {
	readonly person: string;
	/** For whom the person works; `null` for an operator. */
	readonly reseller: string | null;
	readonly email: string;
	readonly mail: LetterKind;
	/** Of a mail of the kind `link`. */
	readonly link?: MailedLink | undefined;
	/** With the person and the kind, it names this mail for ever. */
	readonly number: number;
	readonly notices: number;
	readonly noticeLines: string;
	readonly tries: number;
	readonly begunAtMs: number;
}

/** What becomes of a row of the outbox. */
export type MailEffect =
	/** Makes a mail of the notices that wait, and leases it. */
	| { readonly kind: 'begin_mail'; readonly mail: TakenMail; readonly nextAtMs: number }
	/** Leases the mail once more. */
	| { readonly kind: 'retry_mail'; readonly mail: TakenMail; readonly nextAtMs: number }
	/** Forgets the notices that wait and the mail that is being sent: the person does not want them any more. */
	| { readonly kind: 'clear_mails'; readonly person: string; readonly mail: LetterKind }
	/** Ends the try of the mail with this number, if it has not ended. */
	| {
			readonly kind: 'end_try';
			readonly mail: Pick<TakenMail, 'person' | 'mail' | 'number'>;
			readonly end: TryEnd;
			readonly nextAtMs: number;
	  };

/** How a try to send a mail ended. `back`: it was not tried. */
export type TryEnd =
	| { readonly kind: 'sent' }
	| { readonly kind: 'back' }
	| { readonly kind: 'failed'; readonly failure: string }
	| { readonly kind: 'given_up' };

/**
 * Decides on the rows that are due, and gives their mails to the process that asks, in the order of the rows. Rows are
 * changed in the order in which notices are added to them: otherwise this and a command about money could each wait for a
 * row that the other one holds.
 */
export function decideTaking(
	rows: readonly OutboxRow[],
	nowMs: number,
): { readonly mails: readonly TakenMail[]; readonly effects: readonly MailEffect[] } {
	const mails = new Map<OutboxRow, TakenMail>();
	const effects = rows.toSorted(asNoticesAreAdded).map((row): MailEffect => {
		const { person, mail: kind, number, mailNotices, begunAtMs, tries, link } = row;
		if (!row.isWanted || isLinkOver(row, nowMs)) return { kind: 'clear_mails', person, mail: kind };
		const isBegun = mailNotices > 0;
		// A mail from the future was begun before the clock was set back.
		if (isBegun && Math.abs(nowMs - begunAtMs) > LIFE_MS) {
			return { kind: 'end_try', mail: { person, mail: kind, number }, end: { kind: 'given_up' }, nextAtMs: nowMs };
		}
		const mail: TakenMail = {
			...{ person, reseller: row.reseller, email: row.email, mail: kind, link },
			...(isBegun
				? { number, notices: mailNotices, noticeLines: row.mailNoticeLines, tries: tries + 1, begunAtMs }
				: { number: number + 1, notices: row.notices, noticeLines: row.noticeLines, tries: 1, begunAtMs: nowMs }),
		};
		mails.set(row, mail);
		return { kind: isBegun ? 'retry_mail' : 'begin_mail', mail, nextAtMs: nowMs + LEASE_MS };
	});
	return { mails: rows.flatMap((row) => mails.get(row) ?? []), effects };
}

/** Whether it is a mail with a link, and the link was used, or is too old. One that was replaced gives way to the new one. */
function isLinkOver({ mail, link }: OutboxRow, nowMs: number): boolean {
	return mail === LINK_MAIL && (link === undefined || nowMs >= link.expiresAtMs);
}

/** By kind, by reseller, and by person. */
function asNoticesAreAdded(one: OutboxRow, other: OutboxRow): number {
	return keyOf(one) < keyOf(other) ? -1 : 1;
}

/** A space comes before all characters of names and ids. */
function keyOf({ mail, reseller, person }: OutboxRow): string {
	return `${mail} ${reseller ?? ''} ${person}`;
}

/** When the row is due again after a try that ended so. */
export function dueAfter(
	end: TryEnd,
	{ mail, tries }: { readonly mail: LetterKind; readonly tries: number },
	nowMs: number,
): number {
	switch (end.kind) {
		case 'back':
			return nowMs;
		case 'sent':
		case 'given_up':
			return nowMs + (mail === LINK_MAIL ? LINK_GAP_MS : GAP_MS);
		case 'failed':
			return nowMs + (WAITS_MS[Math.min(tries, WAITS_MS.length) - 1] as number);
	}
}
