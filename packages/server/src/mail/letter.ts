import { createHash } from 'node:crypto';
import type { MailKind } from '@bursar/contract/dashboard';
import MailComposer from 'nodemailer/lib/mail-composer';
import { linkUrl, newPasswordUrl } from '../credentials.ts';
import type { TakenMail } from '../domain/mail/mail.ts';
import { LINK_MAIL, type StoredNotice } from '../domain/mail/notice.ts';
import { linkTexts } from './link-texts.ts';
import type { MailSender } from './sender.ts';
import type { Letter } from './smtp.ts';
import { STOP_PATH, type StopLinks } from './stop-links.ts';
import { frameTexts, mailTexts } from './texts.ts';

/** What all mails of the service share. */
export interface LetterParts {
	readonly from: MailSender;
	/** The origin at which people open the dashboard. */
	readonly publicUrl: string;
	readonly stopLinks: Pick<StopLinks, 'write'>;
}

/**
 * Writes a mail. The same mail is the same letter each time, but for the boundaries of its parts: a repeat after a crash has
 * the same `Message-ID`, by which mail programs tell that they have it.
 */
export async function composeLetter(mail: TakenMail, { from, publicUrl, stopLinks }: LetterParts): Promise<Letter> {
	const { email, begunAtMs } = mail;
	const texts = textsOf(mail, { publicUrl, stopLinks });
	const composer = new MailComposer({
		// As objects, so that nothing is taken apart at commas and brackets.
		from,
		to: { name: '', address: email },
		subject: frameTexts.subject(texts.subject),
		date: new Date(begunAtMs),
		messageId: messageIdOf(mail, new URL(publicUrl).hostname),
		text: plainText(texts),
		html: html(texts),
		headers: {
			'Auto-Submitted': 'auto-generated',
			'X-Auto-Response-Suppress': 'All',
			...(texts.stop && {
				'List-Unsubscribe': { prepared: true, value: `<${texts.stop.url}>` },
				'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
			}),
		},
		disableFileAccess: true,
		disableUrlAccess: true,
	});
	return { from: from.address, to: email, message: await composer.compile().build() };
}

/** The texts of a mail, before they are put into their form. */
interface LetterTexts {
	readonly subject: string;
	readonly lead: string;
	readonly lines: readonly string[];
	readonly advice: string;
	readonly open: LetterLink;
	readonly why: string;
	/** Absent for a mail that cannot be stopped. */
	readonly stop?: LetterLink;
}

interface LetterLink {
	readonly url: string;
	readonly text: string;
}

function textsOf(mail: TakenMail, { publicUrl, stopLinks }: Omit<LetterParts, 'from'>): LetterTexts {
	const { mail: kind, email } = mail;
	if (kind === LINK_MAIL) return linkLetter(mail, publicUrl);
	const ofKind = mailTexts[kind] as (typeof mailTexts)['new_sign_in'];
	return {
		...toldBy(mail, ofKind),
		lead: ofKind.lead(email),
		advice: ofKind.advice,
		open: { url: `${publicUrl}/dashboard${ofKind.page}`, text: frameTexts.open },
		why: frameTexts.why(email),
		stop: {
			url: `${publicUrl}${STOP_PATH}?${stopLinks.write({ person: mail.person, mail: kind })}`,
			text: frameTexts.stop(ofKind.about),
		},
	};
}

function toldBy({ notices, noticeLines }: TakenMail, ofKind: (typeof mailTexts)['new_sign_in']) {
	const stored = noticeLines
		.split('\n')
		.filter(Boolean)
		.map(readNotice<'new_sign_in'>);
	const [first] = stored;
	const lines = stored.map(ofKind.line);
	if (notices > stored.length) lines.push(frameTexts.more(notices - stored.length));
	// After a flood, the previous mail may have taken all the stored lines. Only the number of the other notices is left.
	return { subject: first ? ofKind.subject(notices, first) : frameTexts.moreAbout(ofKind.about), lines };
}

/** The address of the link is the secret. It stands nowhere else in the mail. */
function linkLetter({ email, reseller, link }: TakenMail, publicUrl: string): LetterTexts {
	if (!link) throw new Error('a mail with a link has none');
	const { secret, reason, expiresAtMs } = link;
	const { open, ...texts } = linkTexts[reason]({ email, reseller, host: new URL(publicUrl).host, expiresAtMs });
	const url = reason === 'forgotten' ? newPasswordUrl(publicUrl, secret) : linkUrl(publicUrl, secret);
	return { ...texts, lines: [], open: { url, text: open } };
}

function readNotice<Kind extends MailKind>(line: string): StoredNotice<Kind> {
	return JSON.parse(line) as StoredNotice<Kind>;
}

function plainText({ lead, lines, advice, open, why, stop }: LetterTexts): string {
	const list = lines.map((line) => `- ${line}`).join('\n');
	const foot = `--\n${why}${stop ? `\n${stop.text}: ${stop.url}` : ''}`;
	return `${[lead, list, advice, open.url, foot].filter(Boolean).join('\n\n')}\n`;
}

function html({ lead, lines, advice, open, why, stop }: LetterTexts): string {
	const list = lines.map((line) => `<li>${escaped(line)}</li>`).join('');
	return `<!doctype html>
<html lang="en"><body style="font-family: sans-serif; line-height: 1.5">
<p>${escaped(lead)}</p>
${list && `<ul>${list}</ul>\n`}<p>${escaped(advice)}</p>
<p>${anchor(open)}</p>
<hr>
<p style="font-size: small">${escaped(why)}${stop ? ` ${anchor(stop)}` : ''}</p>
</body></html>
`;
}

function anchor({ url, text }: LetterLink): string {
	return `<a href="${escaped(url)}">${escaped(text)}</a>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

function escaped(text: string): string {
	return text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}

function messageIdOf({ person, mail, number }: TakenMail, host: string): string {
	const hash = createHash('sha256').update(`${person} ${mail} ${number}`).digest('hex');
	return `<${hash.slice(0, 40)}@${host}>`;
}
