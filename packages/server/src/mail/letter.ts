import { createHash } from 'node:crypto';
import { PRODUCT_NAME } from '@bursar/contract/brand';
import type { MailKind } from '@bursar/contract/dashboard';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { KnownBrand, KnownLook } from '../bank/known-brand.ts';
import { linkUrl, newPasswordUrl } from '../credentials.ts';
import type { TakenMail } from '../domain/mail/mail.ts';
import { LINK_MAIL, type StoredNotice } from '../domain/mail/notice.ts';
import { htmlText } from '../html-text.ts';
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
	/** Names the sender, also in the subject, and has the letterhead. */
	readonly brand: Pick<KnownBrand, 'read'>;
}

/**
 * Writes a mail. The same mail is the same letter each time, but for the boundaries of its parts: a repeat after a crash has
 * the same `Message-ID`, by which mail programs tell that they have it.
 */
export async function composeLetter(mail: TakenMail, parts: LetterParts): Promise<Letter> {
	const { from, publicUrl } = parts;
	const look = await parts.brand.read();
	const letterhead = letterheadOf(look);
	const { email, begunAtMs } = mail;
	const texts = textsOf(mail, parts);
	const composer = new MailComposer({
		// As objects, so that nothing is taken apart at commas and brackets.
		from: { name: look.name ?? from.name, address: from.address },
		to: { name: '', address: email },
		subject: frameTexts.subject(look.name ?? PRODUCT_NAME, texts.subject),
		date: new Date(begunAtMs),
		messageId: messageIdOf(mail, new URL(publicUrl).hostname),
		text: plainText(texts, letterhead),
		html: html(texts, letterhead),
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

/** Who sends it, line by line. */
function letterheadOf({ legalName, address, taxNumber }: KnownLook): readonly string[] {
	return [legalName, ...address, taxNumber === '' ? '' : frameTexts.taxNumber(taxNumber)].filter(Boolean);
}

function textsOf(mail: TakenMail, { publicUrl, stopLinks }: Pick<LetterParts, 'publicUrl' | 'stopLinks'>): LetterTexts {
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

function plainText({ lead, lines, advice, open, why, stop }: LetterTexts, letterhead: readonly string[]): string {
	const list = lines.map((line) => `- ${line}`).join('\n');
	const foot = ['--', ...letterhead, why, ...(stop ? [`${stop.text}: ${stop.url}`] : [])].join('\n');
	return `${[lead, list, advice, open.url, foot].filter(Boolean).join('\n\n')}\n`;
}

function html({ lead, lines, advice, open, why, stop }: LetterTexts, letterhead: readonly string[]): string {
	const sender = letterhead.map(htmlText).join('<br>');
	const list = lines.map((line) => `<li>${htmlText(line)}</li>`).join('');
	return `<!doctype html>
<html lang="en"><body style="font-family: sans-serif; line-height: 1.5">
<p>${htmlText(lead)}</p>
${list && `<ul>${list}</ul>\n`}<p>${htmlText(advice)}</p>
<p>${anchor(open)}</p>
<hr>
${sender && `<p style="font-size: small">${sender}</p>\n`}<p style="font-size: small">${htmlText(why)}${stop ? ` ${anchor(stop)}` : ''}</p>
</body></html>
`;
}

function anchor({ url, text }: LetterLink): string {
	return `<a href="${htmlText(url)}">${htmlText(text)}</a>`;
}

function messageIdOf({ person, mail, number }: TakenMail, host: string): string {
	const hash = createHash('sha256').update(`${person} ${mail} ${number}`).digest('hex');
	return `<${hash.slice(0, 40)}@${host}>`;
}
