import type { MailKind } from '@bursar/contract/dashboard';
import { texts } from '../../preferences/catalogue.ts';

/** What each mail is about, and when it comes. */
export const mailKindTexts = texts('mailKindTexts', {
	new_sign_in: { name: 'New sign-in', when: 'A sign-in as you, in a browser that is not known.' },
	password_changed: { name: 'Password changed', when: 'Your password was changed, by you or with a link.' },
	token_changed: { name: 'Token changed', when: 'The token of the API is rotated, or all tokens are ended.' },
	payment: {
		name: 'Payment booked',
		when: 'Money of a payment through a provider arrived, or was refunded or disputed.',
	},
	low_balance: { name: 'Low balance', when: 'The balance falls below the amount that is set on the overview.' },
	debt: {
		name: 'Debt',
		when: 'Bandwidth or a refund that no balance covered is owed, or the debt is so large that the proxies refuse all sub-users.',
	},
	exhausted_sub_user: { name: 'Balance of a sub-user used up', when: 'Bandwidth has used up what a sub-user had.' },
	webhook_off: {
		name: 'Webhook switched off',
		when: 'Events could not be delivered to a webhook for three days, or its receiver wants no more.',
	},
	silent_edge: { name: 'Silent edge', when: 'Nothing was heard of an edge for 10 minutes.' },
	failed_verification: {
		name: 'Failed verification',
		when: 'A verification of the ledger finds problems, or is not finished.',
	},
} as const satisfies Record<MailKind, { readonly name: string; readonly when: string }>);

/** The section of the account page. */
export const mailChoiceTexts = texts('mailChoiceTexts', {
	title: 'Mail',
	lead: 'What you get mail about, at {email}. What happens within a quarter of an hour comes together.',
	notSetUp: 'The operator of this service has set up no mail, so none is sent.',
});

/** The operators' page. */
export const mailTexts = texts('mailTexts', {
	lead: 'Mails to the people of resellers and to operators. Each person chooses on the account page which ones to get.',
	notSetUp: 'No mail is sent: no mail server is set up. The operating guide says how (page “The dashboard and mail”).',
	title: 'Sending',
	server: 'Mail server',
	from: 'From',
	waiting: 'Waiting',
	failing: 'Of these, failing',
	givenUp: 'Given up, ever',
	failingTitle: 'Mails could not be sent',
	failure: 'The last try ended with: {failure}.',
	since: 'The oldest one was begun',
	retried: 'Each is tried again for three days. The operating guide says what the answers of a mail server mean.',
});

/** The page that the link of a mail opens. */
export const stopMailTexts = texts('stopMailTexts', {
	title: 'Stop mails',
	badLink: 'This link is not complete, or the person is not here any more.',
	question: 'Stop mails about: {about}?',
	effect: 'You stop getting them at the address to which this mail went. You can have them again on the account page.',
	stop: 'Stop these mails',
	stopped: 'Stopped: {about}. What happens from now on is not mailed to you.',
	toAccount: 'Choose your mails on the account page',
});
