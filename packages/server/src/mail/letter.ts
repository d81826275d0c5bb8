import { createHash } from 'node:crypto';
import type { MailKind } from '@bursar/contract/dashboard';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { TakenMail } from '../domain/mail/mail.ts';
import type { StoredNotice } from '../domain/mail/notice.ts';
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
	const texts = textsOf(mail);
	const pageUrl = `${publicUrl}/dashboard${texts.page}`;
	const stopUrl = `${publicUrl}${STOP_PATH}?${stopLinks.write(mail)}`;
	const composer = new MailComposer({
		// As objects, so that nothing is taken apart at commas and brackets.
		from,
		to: { name: '', address: email },
		subject: frameTexts.subject(texts.subject),
		date: new Date(begunAtMs),
		messageId: messageIdOf(mail, new URL(publicUrl).hostname),
		text: plainText(texts, pageUrl, stopUrl),
		html: html(texts, pageUrl, stopUrl),
		headers: {
			'Auto-Submitted': 'auto-generated',
			'X-Auto-Response-Suppress': 'All',
			'List-Unsubscribe': { prepared: true, value: `<${stopUrl}>` },
			'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
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
	readonly page: string;
	readonly why: string;
	readonly stop: string;
}

function textsOf({ mail, email, notices, noticeLines }: TakenMail): LetterTexts {
	const ofKind = mailTexts[mail] as (typeof mailTexts)['new_sign_in'];
	const stored = noticeLines
		.split('\n')
		.filter(Boolean)
		.map(readNotice<'new_sign_in'>);
	const [first] = stored;
	const lines = stored.map(ofKind.line);
	if (notices > stored.length) lines.push(frameTexts.more(notices - stored.length));
	return {
		// After a flood, the previous mail may have taken all the stored lines. Only the number of the other notices is left.
		subject: first ? ofKind.subject(notices, first) : frameTexts.moreAbout(ofKind.about),
		lead: ofKind.lead(email),
		lines,
		advice: ofKind.advice,
		page: ofKind.page,
		why: frameTexts.why(email),
		stop: frameTexts.stop(ofKind.about),
	};
}

function readNotice<Kind extends MailKind>(line: string): StoredNotice<Kind> {
	return JSON.parse(line) as StoredNotice<Kind>;
}

function plainText({ lead, lines, advice, why, stop }: LetterTexts, pageUrl: string, stopUrl: string): string {
	const list = lines.map((line) => `- ${line}`).join('\n');
	return `${[lead, list, advice, pageUrl, `--\n${why}\n${stop}: ${stopUrl}`].join('\n\n')}\n`;
}

function html({ lead, lines, advice, why, stop }: LetterTexts, pageUrl: string, stopUrl: string): string {
	return `<!doctype html>
<html lang="en"><body style="font-family: sans-serif; line-height: 1.5">
<p>${escaped(lead)}</p>
<ul>${lines.map((line) => `<li>${escaped(line)}</li>`).join('')}</ul>
<p>${escaped(advice)}</p>
<p><a href="${escaped(pageUrl)}">${frameTexts.open}</a></p>
<hr>
<p style="font-size: small">${escaped(why)} <a href="${escaped(stopUrl)}">${escaped(stop)}</a></p>
</body></html>
`;
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
