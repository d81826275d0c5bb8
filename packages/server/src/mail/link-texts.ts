import type { MailedLink } from '../domain/mail/mail.ts';
import { utc } from './texts.ts';

interface LinkFacts {
	readonly email: string;
	/** `null` for an operator. */
	readonly reseller: string | null;
	/** Where the dashboard is. */
	readonly host: string;
	readonly expiresAtMs: number;
}

interface LinkTexts {
	readonly subject: string;
	readonly lead: string;
	readonly advice: string;
	/** What the link does. */
	readonly open: string;
	/** Why the mail came, for those who did not expect it. */
	readonly why: string;
}

/** What mails with a link say, by the reason of the link. */
export const linkTexts: Readonly<Record<MailedLink['reason'], (facts: LinkFacts) => LinkTexts>> = {
	invited: ({ email, reseller, host, expiresAtMs }) => ({
		subject: 'You are invited',
		lead:
			reseller === null
				? `You are invited to look after the service at ${host}, as one of its operators.`
				: `You are invited to the dashboard of ${reseller} at ${host}.`,
		advice: `Open this link and choose a password. It is good once, until ${utc(expiresAtMs)}. A newer link replaces it. Pass it on to nobody: whoever opens it becomes ${email} there.`,
		open: 'Accept the invitation',
		why: `This mail went to ${email}, because this address was invited. If you did not expect that, you need do nothing.`,
	}),
	reset: ({ email, host, expiresAtMs }) => ({
		subject: 'Set a new password',
		lead: `Your password and your second factors at ${host} were removed for you, and all your sessions ended.`,
		advice: `Open this link and choose a new password. It is good once, until ${utc(expiresAtMs)}. A newer link replaces it. Pass it on to nobody: whoever opens it becomes ${email} there.`,
		open: 'Set a new password',
		why: `This mail went to ${email}. If you did not ask for this, tell the operator or a colleague who is an owner.`,
	}),
	forgotten: ({ email, host, expiresAtMs }) => ({
		subject: 'Forgot your password?',
		lead: `Somebody, probably you, has asked at ${host} for a new password for ${email}.`,
		advice: `Open this link and choose a new password. It is good once, until ${utc(expiresAtMs)}. A newer link replaces it. You still need your second factor to sign in.`,
		open: 'Set a new password',
		why: `This mail went to ${email}. If you did not ask for it, you need do nothing: your password stays as it is.`,
	}),
};
