import { MAX_ALLOWED_IPS, MAX_TOKEN_DAYS } from '@bursar/contract/limits';
import { textsWith } from '../../preferences/catalogue.ts';

const VALUES = { mostAddresses: String(MAX_ALLOWED_IPS), mostDays: String(MAX_TOKEN_DAYS) };

export const namedTokenTexts = textsWith('namedTokenTexts', VALUES, {
	create: 'Create a token',
	createNow: 'Create',
	createIntro: 'You see the token only once. Give each program one of its own: then you can end it alone.',
	createLost:
		'The token was created, but it was in the answer that was lost, and it cannot be shown again. Close this, end it, and create another one.',
	name: 'Name',
	nameHint: 'Which program it is for. Letters, digits, spaces, periods, underscores and hyphens; at most 40.',
	nameWrong: 'Use letters, digits, spaces, periods, underscores and hyphens, with a letter or digit at both ends.',
	scopes: 'What the token may do',
	end: 'The token ends',
	lives: { 30: 'in 30 days', 90: 'in 90 days', 365: 'in a year', day: 'with the end of a day' },
	day: 'Day',
	endsAt: 'It is refused from {moment} on.',
	endProblems: {
		none: 'Enter a day.',
		past: 'This day is over.',
		far: 'A token lives for {mostDays} days at most.',
	},
	addresses: 'Addresses from which it may be used',
	addressesHint:
		'Empty: from anywhere. Otherwise one a line: IPv4, IPv6 or networks like 192.0.2.0/24; at most {mostAddresses}.',

	newTitle: 'The token {name}',
	newIntro: 'It is shown only now. Store it where your program reads it, and tell it to no one else.',
	newLabel: 'New token',

	label: 'Tokens, by name',
	endsIn: 'ends in {tail}',
	mayDo: 'May do',
	onlyFrom: 'Only from {addresses}',
	made: 'Made',
	by: 'by {who}',
	you: 'you',
	program: 'a program',
	until: 'Ends',
	expired: 'Expired',
	lastUsed: 'Last used',
	never: 'Never',
	actions: 'Actions',
	endNow: 'End',
	endOne: 'End {name}',
	endTitle: 'End the token {name}?',
	endEffect: 'Programs with it are refused at once, and in every process within 30 seconds. This cannot be undone.',
});
