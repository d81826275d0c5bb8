import type { PairState } from '@bursar/contract/dashboard';
import {
	MAX_ALLOWED_IPS,
	MAX_BYTES,
	MAX_BYTES_PER_SECOND,
	MAX_CONNECTIONS,
	MAX_NOTE_CHARACTERS,
	MIN_BYTES_PER_SECOND,
} from '@bursar/contract/limits';
import { textsWith } from '../../preferences/catalogue.ts';
import type { LimitName, LimitProblem } from './typed-limits.ts';

const GB = 1e9;
/** Bytes. */
const MBIT = 125_000;

const VALUES = {
	mostCharacters: MAX_NOTE_CHARACTERS,
	mostAddresses: MAX_ALLOWED_IPS,
	mostConnections: MAX_CONNECTIONS,
	exampleGb: 2.5,
	leastGb: 0.000000001,
	mostGb: Math.floor(MAX_BYTES / GB),
	gb: GB,
	mbitBytes: MBIT,
	leastMbit: MIN_BYTES_PER_SECOND / MBIT,
	mostMbit: MAX_BYTES_PER_SECOND / MBIT,
};

export const termsTexts = textsWith('termsTexts', VALUES, {
	states: {
		active: 'Active',
		suspended: 'Suspended',
		reseller_suspended: 'Reseller suspended',
		reseller_in_debt: 'Reseller owes too much',
		expired: 'Expired',
		no_balance: 'No balance yet',
		exhausted: 'Ran out',
		limit_reached: 'Limit reached',
	} as const satisfies Record<PairState, string>,
	/** In front of the state of the pair of a reseller. */
	ownPair: 'Its own pair on the proxies:',
	title: 'State',
	leads: {
		active: 'The proxies accept it as far as its balance and its limits go.',
		suspended: 'The proxies refuse it until you resume it. Its balance stays.',
		expired: 'The proxies refuse it, because the time until which it may be used is over. Set a later one to go on.',
		reseller_suspended:
			'The proxies refuse it, because the operator has suspended the whole account of its reseller. Its balance stays.',
		reseller_in_debt:
			'The proxies refuse it, because its reseller owes too much for bandwidth. They accept it again once the debt is paid.',
		no_balance: 'Balances pay for bandwidth. So the proxies refuse it until you give it some balance.',
		exhausted: 'Its balance is used up: the proxies refuse it until you give it more.',
		limit_reached:
			'The proxies refuse it, because a limit of its bandwidth is reached. One of a day or of a month opens again by itself at 00:00 UTC.',
	} as const satisfies Record<PairState, string>,
	opens: 'Works again from',
	lastSeen: 'Last seen',
	never: 'Never',
	note: 'Note',
	noNote: 'None',

	suspend: 'Suspend',
	resume: 'Resume',
	suspendTitle: 'Suspend {username}?',
	resumeTitle: 'Resume {username}?',
	suspendIntro:
		'Within seconds, the proxies refuse {username} and cut its connections. Its balance, its limits and its key stay. You can resume it at any time.',
	resumeIntro: 'Within seconds, the proxies accept {username} again, as far as its balance and its limits go.',

	editNote: 'Change the note',
	noteTitle: 'Note on {username}',
	noteHint: 'For you and the people of your account: one line of at most {mostCharacters} characters. Empty: no note.',
	noteTooLong: 'At most {mostCharacters} characters are possible.',
	saveNote: 'Save',

	limits: 'Limits',
	limitsLead:
		'Days and months are those of UTC. A limit that is reached refuses the sub-user, and one of speed only slows it; those of a day and of a month open again by themselves at 00:00 UTC.',
	limitNames: {
		day_bytes: 'Bandwidth of a day',
		month_bytes: 'Bandwidth of a month',
		total_bytes: 'Bandwidth in total',
		connections: 'Open connections',
		bytes_per_second: 'Speed',
		allowed_ips: 'Allowed addresses',
		expires_at: 'Expires',
	} as const satisfies Record<LimitName, string>,
	usedNoLimit: '{used} used, no limit',
	usedOf: '{used} of {limit} used',
	openOf: '{open} open of {limit}',
	speed: '{mbit}\u00a0Mbit/s',
	reached: 'Reached',
	noLimit: 'No limit',
	anyAddress: 'Any',
	neverExpires: 'Never',

	setLimits: 'Set limits',
	limitsTitle: 'Limits of {username}',
	saveLimits: 'Set the limits',
	emptyIsNone: 'An empty field is no limit.',
	inGb: {
		day_bytes: 'GB of a UTC day',
		month_bytes: 'GB of a UTC month',
		total_bytes: 'GB in total',
	},
	gbHint: '1 GB is {gb} bytes, up and down together.',
	connections: 'Connections that may be open at once',
	inMbit: 'Speed in Mbit/s',
	mbitHint:
		'Of all its connections together, up and down each, on each proxy host. 1 Mbit/s is {mbitBytes} bytes a second.',
	addresses: 'Addresses from which it may be used',
	addressesHint: 'One a line: IPv4, IPv6 or networks like 192.0.2.0/24; at most {mostAddresses}.',
	expiresOn: 'Expires on',
	expiresAt: 'at',
	expiresHint: 'Without a time, at the end of that day.',
	endsAt: 'The proxies refuse it from {moment} on.',
	endsNow: 'This time is over: the proxies refuse the sub-user at once, and cut its connections. I mean it so.',
	problems: {
		address: 'Line {line} is not an address or a network.',
		bytes: 'Enter GB, like {exampleGb}: at least {leastGb}, at most {mostGb}.',
		connections: 'Enter a whole number from 1 to {mostConnections}.',
		speed: 'Enter Mbit/s, like {exampleGb}: at least {leastMbit}, at most {mostMbit}.',
		too_many_addresses: 'At most {mostAddresses} addresses and networks are possible.',
		date: 'Enter a day.',
		time: 'Enter hours and minutes, like 23:00.',
	},

	delete: 'Delete',
	deleteSection: 'Delete this sub-user',
	deleteLead: 'Its balance comes back to you. Its name can never be used again, also not by you.',
	deleteTitle: 'Delete {username} for ever?',
	deleteIntro:
		'{username} ends now: within seconds, the proxies refuse it and cut its connections. This cannot be undone, and no account can ever have this name again. Its past stays on the statement.',
	comesBack: '{amount} comes back to your balance, less what its bandwidth costs until then.',
	nothingComesBack: 'It has no balance, so nothing comes back.',
	typeName: 'Type {username} to delete it',
	deleteNow: 'Delete for ever',
	deleted: '{username} was deleted. {amount} came back to you.',
	wasDeleted: 'This sub-user was deleted',
	deletedOn: 'Deleted',
	createdOn: 'Created',
	deletedLead: 'Its name can never be used again. Its bandwidth and its transactions stay readable here.',

	menu: 'What to do with {username}',
	openPage: 'Open its page',
	give: 'Give…',
	take: 'Take…',
	suspendMenu: 'Suspend…',
	resumeMenu: 'Resume…',
	limitsMenu: 'Set limits…',
	noteMenu: 'Change the note…',
	deleteMenu: 'Delete…',

	done: {
		suspend: '{username} is suspended.',
		resume: '{username} is resumed.',
		limits: 'The limits of {username} are set.',
		note: 'The note on {username} is saved.',
	},
});

/** What is wrong with a limit. */
export function limitProblemText(found: Exclude<LimitProblem, { readonly problem: 'past' }>): string {
	return found.problem === 'address' ? termsTexts.problems.address(found.line) : termsTexts.problems[found.problem];
}
