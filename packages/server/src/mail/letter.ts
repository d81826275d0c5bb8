import { createHash } from 'node:crypto';
import type { MailKind } from '@bursar/contract/dashboard';
import { PRODUCT_NAME } from '@bursar/contract/limits';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { KnownBrand, KnownLook } from '../bank/known-brand.ts';
import type { TakenMail } from '../domain/mail/mail.ts';
import type { StoredNotice } from '../domain/mail/notice.ts';
import { htmlText } from '../html-text.ts';
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
	/** Names the sender, also in the subject, and has the letterhead. */
	readonly brand: Pick<KnownBrand, 'read'>;
}

/**
 * Writes a mail. The same mail is the same letter each time, but for the boundaries of its parts: a repeat after a crash has
 * the same `Message-ID`, by which mail programs tell that they have it.
 */
export async function composeLetter(mail: TakenMail, parts: LetterParts): Promise<Letter> {
	const { from, publicUrl, stopLinks } = parts;
	const look = await parts.brand.read();
	const letterhead = letterheadOf(look);
	const { email, begunAtMs } = mail;
	const texts = textsOf(mail);
	const pageUrl = `${publicUrl}/dashboard${texts.page}`;
	const stopUrl = `${publicUrl}${STOP_PATH}?${stopLinks.write(mail)}`;
	const composer = new MailComposer({
		// As objects, so that nothing is taken apart at commas and brackets.
		from: { name: look.name ?? from.name, address: from.address },
		to: { name: '', address: email },
		subject: frameTexts.subject(look.name ?? PRODUCT_NAME, texts.subject),
		date: new Date(begunAtMs),
		messageId: messageIdOf(mail, new URL(publicUrl).hostname),
		text: plainText({ ...texts, letterhead }, pageUrl, stopUrl),
		html: html({ ...texts, letterhead }, pageUrl, stopUrl),
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

/** Who sends it, line by line. */
function letterheadOf({ legalName, address, taxNumber }: KnownLook): readonly string[] {
	return [legalName, ...address, taxNumber === '' ? '' : frameTexts.taxNumber(taxNumber)].filter(Boolean);
}

interface FramedTexts extends LetterTexts {
	readonly letterhead: readonly string[];
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

function plainText(
	{ lead, lines, advice, why, stop, letterhead }: FramedTexts,
	pageUrl: string,
	stopUrl: string,
): string {
	const list = lines.map((line) => `- ${line}`).join('\n');
	const end = ['--', ...letterhead, why, `${stop}: ${stopUrl}`].join('\n');
	return `${[lead, list, advice, pageUrl, end].join('\n\n')}\n`;
}

function html({ lead, lines, advice, why, stop, letterhead }: FramedTexts, pageUrl: string, stopUrl: string): string {
	return `<!doctype html>
<html lang="en"><body style="font-family: sans-serif; line-height: 1.5">
<p>${htmlText(lead)}</p>
<ul>${lines.map((line) => `<li>${htmlText(line)}</li>`).join('')}</ul>
<p>${htmlText(advice)}</p>
<p><a href="${htmlText(pageUrl)}">${frameTexts.open}</a></p>
<hr>
${letterhead.length === 0 ? '' : `<p style="font-size: small">${letterhead.map(htmlText).join('<br>')}</p>\n`}<p style="font-size: small">${htmlText(why)} <a href="${htmlText(stopUrl)}">${htmlText(stop)}</a></p>
</body></html>
`;
}

function messageIdOf({ person, mail, number }: TakenMail, host: string): string {
	const hash = createHash('sha256').update(`${person} ${mail} ${number}`).digest('hex');
	return `<${hash.slice(0, 40)}@${host}>`;
}
