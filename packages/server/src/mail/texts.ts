import type { MailKind } from '@bursar/contract/dashboard';
import { PROVIDER_TITLES } from '@bursar/contract/payments';
import { usd } from '@bursar/contract/usd';
import type { StoredNotice } from '../domain/mail/notice.ts';
import { MADE_BY_OPERATOR } from '../domain/token.ts';

/** What mails of one kind say. */
interface MailTexts<Kind extends MailKind> {
	/** `count` is how many notices there are; `first` is one of them. */
	readonly subject: (count: number, first: StoredNotice<Kind>) => string;
	/** What stands before the notices. `to` is the e-mail address of the person. */
	readonly lead: (to: string) => string;
	readonly line: (notice: StoredNotice<Kind>) => string;
	/** What to do. */
	readonly advice: string;
	/** The page where one does it, below the dashboard. */
	readonly page: string;
	/** What stops with the link at the end: `mails about ...`. */
	readonly about: string;
}

export const mailTexts: { readonly [Kind in MailKind]: MailTexts<Kind> } = {
	new_sign_in: {
		subject: (count) => (count === 1 ? 'New sign-in' : `${count} new sign-ins`),
		lead: (to) => `Somebody signed in as ${to}, in a browser that we do not know:`,
		line: ({ atMs, browser, address }) => `${utc(atMs)}: ${browser}, from ${address}`,
		advice:
			'If that was you, there is nothing to do. If not, change your password now, end all other sessions, and tell the operator.',
		page: '/account',
		about: 'new sign-ins',
	},
	password_changed: {
		subject: () => 'Your password was changed',
		lead: (to) => `The password of ${to} was changed:`,
		line: ({ atMs, by, address }) =>
			`${utc(atMs)}: ${by === 'link' ? 'with the link of a mail' : 'on the account page'}, from ${address}`,
		advice:
			'If that was you, there is nothing to do. If not, tell the operator now, and change the password of your mailbox.',
		page: '/account',
		about: 'changes of the password',
	},
	token_changed: {
		subject: (count, { change }) => {
			if (count > 1) return 'The API token was changed several times';
			return change === 'rotated' ? 'The API token was rotated' : 'All API tokens were ended';
		},
		lead: () => 'The token with which programs use the API was changed:',
		line: ({ atMs, change, by, tail }) =>
			`${utc(atMs)}: ${change === 'rotated' ? 'rotated' : 'all tokens ended'} by ${by === MADE_BY_OPERATOR ? 'the operator' : by}. The new token ends with ${tail}.`,
		advice:
			'If you did not expect this, end all tokens now, and ask your colleagues and the operator who did it. Activity shows it too.',
		page: '/token',
		about: 'changes of the API token',
	},
	payment: {
		subject: (count, { amountCents }) => {
			if (count > 1) return `${count} payments were booked`;
			return amountCents < 0 ? 'A payment was taken back' : 'A payment arrived';
		},
		lead: () => 'Money of a payment arrived, or was taken back:',
		line: ({ atMs, payment, provider, amountCents, balanceCents }) => {
			const amount = `${usd(Math.abs(amountCents))} USD`;
			const what = amountCents < 0 ? `${amount} were refunded or are disputed` : `${amount} arrived`;
			return `${utc(atMs)}: ${what} at ${PROVIDER_TITLES[provider]} (${payment}). The balance was then ${usd(balanceCents)} USD.`;
		},
		advice: 'The dashboard shows each payment, and what the balance has of it.',
		page: '/top-ups',
		about: 'payments',
	},
	low_balance: {
		subject: () => 'The balance is low',
		lead: () => 'The balance has fallen below the amount from which on you want to be warned:',
		line: ({ atMs, balanceCents, lowBalanceCents }) =>
			`${utc(atMs)}: ${usd(balanceCents)} USD are left, which is less than ${usd(lowBalanceCents)} USD.`,
		advice:
			'Top up on the dashboard if it has a page for that, or ask the operator. If nothing is left, sub-users can be given nothing.',
		page: '/',
		about: 'a low balance',
	},
	debt: {
		subject: () => 'You owe money',
		lead: () =>
			'Bandwidth was used, or a payment was refunded or disputed, and no balance covered it. You owe it. If the debt is beyond the line, and while bandwidth has a price, the proxies refuse you and all sub-users:',
		line: ({ atMs, username, debtCents, lineCents, isBeyondLine }) =>
			`${utc(atMs)}: ${username === undefined ? '' : `after bandwidth of ${username}, `}${usd(debtCents)} USD are owed, ${
				isBeyondLine ? 'beyond' : 'within'
			} the line of ${usd(lineCents)} USD.`,
		advice:
			'The debt is paid first from whatever your balance gets: take balance back from sub-users, or ask the operator for a top-up.',
		page: '/statement',
		about: 'debts',
	},
	exhausted_sub_user: {
		subject: (count, { username }) =>
			count === 1 ? `The balance of ${username} is used up` : `The balances of ${count} sub-users are used up`,
		lead: () => 'Bandwidth has used up the balance of:',
		line: ({ atMs, username }) => `${username}, ${utc(atMs)}`,
		advice: 'Proxies refuse a sub-user without a balance. Give it some, and they accept it again within seconds.',
		page: '/sub-users',
		about: 'sub-users whose balance is used up',
	},
	webhook_off: {
		subject: (count, { host }) =>
			count === 1 ? `The webhook to ${host} was switched off` : `${count} webhooks were switched off`,
		lead: () => 'Events are not sent there any more:',
		line: ({ atMs, webhook, host, reason }) => `${utc(atMs)}: ${host} (${webhook}). ${WHY_OFF[reason]}`,
		advice:
			'Mend the receiver, and switch the webhook on again. No event is lost: it goes on where it stood, unless it says that it wants a position.',
		page: '/webhooks',
		about: 'webhooks that were switched off',
	},
	silent_edge: {
		subject: (count, { edge }) => (count === 1 ? `The edge ${edge} is silent` : `${count} edges are silent`),
		lead: () => 'Nothing was heard any more of:',
		line: ({ edge, lastSeenAtMs }) => `${edge}, last heard of ${utc(lastSeenAtMs)}`,
		advice: 'Look whether the host runs, and whether it reaches the service. Its bytes are reported when it is back.',
		page: '/edges',
		about: 'silent edges',
	},
	failed_verification: {
		subject: (_count, { problems }) =>
			problems === null ? 'A verification of the ledger was not finished' : 'The ledger has problems',
		lead: () => 'The ledger was verified:',
		line: ({ atMs, problems }) => {
			if (problems === null) return `${utc(atMs)}: the verification was not finished.`;
			return `${utc(atMs)}: ${problems === 1 ? 'one problem was' : `${problems} problems were`} found.`;
		},
		advice: 'The page shows what was found. Begin a verification that was not finished once more.',
		page: '/ledger',
		about: 'failed verifications',
	},
};

const WHY_OFF: Readonly<Record<StoredNotice<'webhook_off'>['reason'], string>> = {
	gone: 'The receiver has answered 410: it wants no more events.',
	failing: 'No event could be delivered for three days.',
	events_expired: 'The next events are not kept any more, so it wants a position.',
	events_rewound: 'The log does not have the event that it has reached, so it wants a position.',
};

export const frameTexts = {
	subject: (service: string, subject: string) => `${service}: ${subject}`,
	taxNumber: (number: string) => `Tax number: ${number}`,
	more: (count: number) => `and ${count} more`,
	moreAbout: (about: string) => `More about ${about}`,
	open: 'Open the dashboard',
	why: (to: string) => `This mail went to ${to}. The account page says which mails you get.`,
	stop: (about: string) => `Stop mails about ${about}`,
} as const;

/** Like `2026-11-27 06:51 UTC`. */
export function utc(atMs: number): string {
	return `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
