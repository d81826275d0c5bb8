import { type DashboardErrorCode, MAX_PASSKEYS, MAX_TEAM } from '@bursar/contract/dashboard';
import {
	MAX_BRAND_NAME_CHARACTERS,
	MAX_LETTERHEAD_CHARACTERS,
	MAX_LOGO_BYTES,
	MAX_LOGO_PIXELS,
	MAX_WEBHOOKS,
} from '@bursar/contract/limits';
import { typedMoney } from '../format/money.ts';
import { texts, textsWith } from '../preferences/catalogue.ts';

/** What happened, and what to do. */
export interface FailureText {
	readonly happened: string;
	readonly todo: string;
}

const OUR_FAULT = 'Reload this page. If it happens again, tell the operator of this service.';
const CODE_HINT = 'The code that your app shows now, if you use one-time codes, or one of your recovery codes.';

const tryTexts = texts('tryTexts', {
	waitSeconds: { one: 'Wait {count} second, then try again.', other: 'Wait {count} seconds, then try again.' },
	waitMinutes: { one: 'Wait {count} minute, then try again.', other: 'Wait {count} minutes, then try again.' },
	codeHints: {
		app: 'The code that your app shows now, or one of your recovery codes.',
		recovery: 'One of your recovery codes.',
		either: CODE_HINT,
	},
});

/** Which code the person enters. Before the sign-in, the page does not know whether the person has one-time codes. */
export function codeHint(hasOneTimeCodes?: boolean): string {
	const { app, recovery, either } = tryTexts.codeHints;
	if (hasOneTimeCodes === undefined) return either;
	return hasOneTimeCodes ? app : recovery;
}

/** `seconds` is a whole number of at least 1. */
export function waitText(seconds: number): string {
	return seconds < 60 ? tryTexts.waitSeconds(seconds) : tryTexts.waitMinutes(Math.ceil(seconds / 60));
}

const VALUES = {
	mostBrandName: MAX_BRAND_NAME_CHARACTERS,
	mostLetterhead: MAX_LETTERHEAD_CHARACTERS,
	mostKiB: MAX_LOGO_BYTES / 1024,
	mostPixels: MAX_LOGO_PIXELS,
	mostPasskeys: MAX_PASSKEYS,
	mostPeople: MAX_TEAM,
	mostWebhooks: MAX_WEBHOOKS,
	mostEdges: 1000,
	exampleLine: typedMoney(500),
	zero: typedMoney(0),
	lowestPrice: 0.000001,
	highestPrice: 1000,
	example: typedMoney(1230),
	smallest: typedMoney(1),
};

/** A text for each way in which a call can fail. */
export const failureTexts = textsWith('failureTexts', VALUES, {
	lost: {
		happened: 'No answer of the service arrived.',
		todo: 'Check your connection. If you were changing something, look whether it was done before you repeat it.',
	},
	page_fault: {
		happened: 'This page has made a mistake.',
		todo: 'If you were changing something, look whether it was done before you repeat it. Reload this page. If it happens again, tell the operator of this service.',
	},
	bad_request: { happened: 'The service could not read the request.', todo: OUR_FAULT },
	not_found: { happened: 'The service does not know what this page asked for.', todo: OUR_FAULT },
	method_not_allowed: { happened: 'The service does not know what this page asked for.', todo: OUR_FAULT },
	request_timeout: {
		happened: 'The request took too long to arrive, and nothing was done.',
		todo: 'Check your connection, then try again.',
	},
	payload_too_large: { happened: 'The text is too long, and nothing was done.', todo: 'Enter a shorter text.' },
	unsupported_media_type: { happened: 'The service could not read the request.', todo: OUR_FAULT },
	expectation_failed: { happened: 'The service could not read the request.', todo: OUR_FAULT },
	headers_too_large: {
		happened: 'The browser sends too many cookies, and nothing was done.',
		todo: 'Delete the cookies of this site, then sign in again.',
	},
	internal_error: {
		happened: 'The service has a fault, and nothing was done.',
		todo: 'Tell the operator of this service.',
	},
	unavailable: {
		happened: 'The service cannot do this at the moment, and nothing was done.',
		todo: 'Try again in a few seconds.',
	},
	outcome_unknown: {
		happened: 'The service could not learn whether this was done.',
		todo: 'Reload this page and look whether it was done before you repeat it.',
	},
	rotation_pending: {
		happened: 'The token was rotated a short time ago, and the next rotation is not possible yet.',
		todo: 'Wait until the time that this page shows is over, then rotate again.',
	},
	invalid_request: {
		happened: 'The service did not accept what was entered.',
		todo: 'Check each field, then try again.',
	},
	wrong_origin: {
		happened: 'The service did not accept a change from this address.',
		todo: 'Open the dashboard at its own address: reload this page to see it.',
	},
	signed_out: { happened: 'You are signed out.', todo: 'Sign in again. What you have typed stays here.' },
	wrong_credentials: {
		happened: 'The e-mail address or the password is wrong.',
		todo: 'Check both, then try again.',
	},
	code_required: {
		happened: 'A code is needed too.',
		todo: CODE_HINT,
	},
	wrong_code: {
		happened: 'The code is wrong, too old, or was used before.',
		todo: 'Enter another one: each works once. If it is a code of your app, wait for the next one.',
	},
	passkey_refused: {
		happened: 'The service did not accept this passkey.',
		todo: 'Try again, use another passkey, or use your password.',
	},
	too_many_tries: { happened: 'There were too many tries.', todo: 'Wait, then try again.' },
	invalid_link: {
		happened: 'This link is not valid any more: it was used, replaced, or is too old.',
		todo: 'If you have used it, sign in. Otherwise ask the operator of this service for a new link.',
	},
	mail_off: {
		happened: 'This service sends no mail, so there is no link.',
		todo: 'Ask the operator of this service for one.',
	},
	weak_password: {
		happened: 'This password is easy to guess, and nothing was done.',
		todo: 'It is a common one, or much like your e-mail address. Choose another, for example four unrelated words.',
	},
	proof_required: {
		happened: 'This needs your password or a passkey again.',
		todo: 'Try again, and confirm that it is you.',
	},
	second_factor_required: {
		happened: 'This needs a second factor.',
		todo: 'Add a passkey or one-time codes first.',
	},
	last_factor: {
		happened: 'This is your last second factor, and operators must keep one.',
		todo: 'Add another passkey or one-time codes first.',
	},
	too_many_passkeys: {
		happened: 'You have {mostPasskeys} passkeys, and cannot add more.',
		todo: 'Remove one that you do not use.',
	},
	act_repeated: {
		happened: 'This was done before, and was not done again.',
		todo: 'Reload this page to see how things stand.',
	},
	not_for_operators: { happened: 'This page belongs to a reseller.', todo: 'Sign in as a person of the reseller.' },
	not_allowed: {
		happened: 'Your role does not allow this, and nothing was done.',
		todo: 'Ask an owner of your team to do it, or to change your role.',
	},
	only_for_operators: { happened: 'This page belongs to the operators.', todo: 'Sign in as an operator.' },
	invalid_query: {
		happened: 'The address of this page is not complete or not right.',
		todo: 'Open the page again from the list of pages.',
	},
	invalid_username: {
		happened: 'This is not a valid name.',
		todo: 'Use 4 to 32 letters, digits, periods and underscores, and begin and end with a letter or digit.',
	},
	invalid_debt_line: {
		happened: 'This is not a line that can be set, and nothing was done.',
		todo: 'Enter dollars and cents, like {exampleLine}, or {zero}.',
	},
	more_than_the_debt: {
		happened: 'The reseller owes less than that, and nothing was forgiven.',
		todo: 'Look at the debt again: some of it may have been paid meanwhile.',
	},
	invalid_price: {
		happened: 'The price is not one that can be set.',
		todo: 'Give from {lowestPrice} to {highestPrice} US dollars a GB.',
	},
	invalid_amount: {
		happened: 'This is not an amount that can be moved, and nothing was done.',
		todo: 'Enter dollars and cents, like {example}. The smallest amount is {smallest}.',
	},
	invalid_limits: {
		happened: 'One of the limits has not its form.',
		todo: 'Bytes and connections are whole numbers of at least 1; 1 to 32 addresses or networks; a time in UTC.',
	},
	invalid_note: {
		happened: 'The note is too long, or has characters that cannot be shown.',
		todo: 'Write at most 200 characters in one line.',
	},
	invalid_sign_in_ips: {
		happened: 'One of the addresses is not one from which a client can come, or there are too many.',
		todo: 'Enter up to 16 addresses of IPv4 and IPv6, and networks /64 of IPv6.',
	},
	address_taken: {
		happened: 'An account signs in from one of these addresses already, and nothing was changed.',
		todo: 'It may be another one of your sub-users. Otherwise, ask the operator of this service.',
	},
	sign_in_by_address_off: {
		happened: 'The operator does not allow sign-in by address for this account, and nothing was changed.',
		todo: 'You can remove addresses. To add some, ask the operator of this service.',
	},
	suspended: {
		happened: 'The operator has suspended this account, and nothing was done.',
		todo: 'You can read everything. To make changes again, ask the operator of this service.',
	},
	unknown_sub_user: {
		happened: 'You have no sub-user with this name.',
		todo: 'Look for it in the list of your sub-users.',
	},
	insufficient_balance: {
		happened: 'The balance is too small, and nothing was done.',
		todo: 'Choose a smaller amount, or add balance first.',
	},
	username_taken: { happened: 'This name is taken.', todo: 'Choose another name.' },
	balance_limit: {
		happened: 'No balance can be that large, and nothing was done.',
		todo: 'Choose a smaller amount.',
	},
	unknown_reseller: { happened: 'There is no such reseller.', todo: 'Look for it in the list of resellers.' },
	invalid_reference: {
		happened: 'The service did not accept the reference, and nothing was done.',
		todo: 'Use 1 to 200 visible characters in their plain form, with single spaces between words, like the number of an invoice.',
	},
	invalid_reason: {
		happened: 'The service did not accept the reason, and nothing was done.',
		todo: 'Use at most 200 characters, in one line.',
	},
	reference_conflict: {
		happened: 'This reference was used for something else, and nothing was done.',
		todo: 'Look what was done under it. If this is another matter, choose another reference.',
	},
	email_taken: {
		happened: 'A person with this e-mail address exists already.',
		todo: 'Each address belongs to one person. Use another one.',
	},
	unknown_person: { happened: 'There is no person with this e-mail address.', todo: 'Reload this page.' },
	team_full: {
		happened: 'There are {mostPeople} people already, and nothing was done.',
		todo: 'Remove a person first.',
	},
	last_operator: {
		happened: 'No other operator could sign in, and nothing was done.',
		todo: 'Invite another operator, who must set a password first.',
	},
	own_account: {
		happened: 'This is your own account, and nothing was done.',
		todo: 'Another operator can do this. Your own password and factors are on the account page.',
	},
	amount_out_of_bounds: {
		happened: 'The operator does not accept a payment of this amount, and nothing was done.',
		todo: 'Choose an amount within the bounds of the page.',
	},
	provider_off: {
		happened: 'This service takes no payments through this provider, and nothing was done.',
		todo: 'Reload the page: it shows the providers that there are.',
	},
	too_many_payments: {
		happened: 'Too many payments wait for money already, and nothing was done.',
		todo: 'Pay one of them, or wait until they end.',
	},
	unknown_payment: { happened: 'There is no such payment.', todo: 'Look for it in the list of payments.' },
	too_many_webhooks: {
		happened: 'There are {mostWebhooks} webhooks already, and nothing was done.',
		todo: 'Delete one first.',
	},
	unknown_token: {
		happened: 'There is no such token.',
		todo: 'It may have been ended, or forgotten after its end. Look for it in the list.',
	},
	invalid_token: {
		happened: 'A token cannot be made so, and nothing was done.',
		todo: 'It has a name of 1 to 40 letters, digits, spaces, periods, underscores and hyphens, one scope at least, an end within a year, and at most 32 addresses or networks.',
	},
	token_exists: {
		happened: 'There is a token with this name, and nothing was done.',
		todo: 'Choose another name, or end that token first.',
	},
	too_many_tokens: {
		happened: 'There are as many tokens as there can be, and nothing was done.',
		todo: 'End one first.',
	},
	unknown_webhook: {
		happened: 'There is no such webhook.',
		todo: 'It may have been deleted. Look for it in the list of your webhooks.',
	},
	invalid_webhook_url: {
		happened: 'This URL cannot be that of a webhook, and nothing was done.',
		todo: 'It begins with https:// and names a public host. Its port is 443, or 1024 or above. It has no user, password, or # with more behind it, and no letters like ä or spaces.',
	},
	invalid_types: {
		happened: 'The service does not know one of these types of events, and nothing was done.',
		todo: 'Reload this page, then choose them again.',
	},
	events_expired: {
		happened: 'The events that come next there are no longer kept, and nothing was done.',
		todo: 'Choose a later event from which the webhook goes on.',
	},
	events_rewound: {
		happened: 'The log of events has changed there, or does not reach that far, and nothing was done.',
		todo: 'Choose another event from which the webhook goes on.',
	},
	statement_rewound: {
		happened: 'The statement does not reach that far any more.',
		todo: 'Read it anew.',
	},
	unknown_account: {
		happened: 'The reseller has no account with this name, and nothing was done.',
		todo: 'Look for it in the list of the sub-users of the reseller.',
	},
	invalid_bytes: {
		happened: 'These are no bytes that can be added or taken away, and nothing was done.',
		todo: 'Enter whole numbers. At least one of them is not 0.',
	},
	day_ahead: {
		happened: 'This day has not begun yet in UTC, and nothing was done.',
		todo: 'Choose today or an earlier day.',
	},
	too_few_bytes: {
		happened: 'The day has fewer bytes than that, and nothing was done.',
		todo: 'Take away at most what the day has.',
	},
	too_many_bytes: {
		happened: 'No day can have so many bytes, and nothing was done.',
		todo: 'Add fewer bytes.',
	},
	invalid_edge_name: {
		happened: 'This is not a valid name for an edge.',
		todo: 'Use 1 to 63 lowercase letters, digits, periods and hyphens, and begin and end with a letter or digit.',
	},
	edge_exists: {
		happened: 'There is an edge with this name, and nothing was done.',
		todo: 'Choose another name. For a new key, revoke the edge first.',
	},
	no_edge_url: {
		happened: 'The settings of the service name no address for proxy hosts, and nothing was done.',
		todo: 'Set BURSAR_EDGE_URL, or make a key instead of a link.',
	},
	too_many_edges: {
		happened: 'There are {mostEdges} edges, the most there can be.',
		todo: 'Create one again that was revoked: it keeps its name.',
	},
	unknown_edge: { happened: 'There is no edge with this name.', todo: 'Reload this page.' },
	invalid_brand_name: {
		happened: 'The service cannot have this name, and nothing was done.',
		todo: 'Use 1 to {mostBrandName} characters that people can see.',
	},
	invalid_color: {
		happened: 'This is not a colour, and nothing was done.',
		todo: 'Write it like #4263eb.',
	},
	invalid_logo: {
		happened: 'This file cannot be a logo, and nothing was done.',
		todo: 'Choose a PNG of at most {mostKiB} KiB and {mostPixels} pixels a side that is not animated.',
	},
	invalid_letterhead: {
		happened: 'The letterhead cannot be like this, and nothing was done.',
		todo: 'Use at most {mostLetterhead} characters in a line, and no invisible ones.',
	},
	verification_runs: {
		happened: 'A verification is already running.',
		todo: 'Wait until it has ended: this page shows how far it is.',
	},
	too_many_files: { happened: 'Too many downloads are running.', todo: 'Wait until one has ended, then try again.' },
} as const satisfies Readonly<Record<DashboardErrorCode | 'lost' | 'page_fault', FailureText>>);
