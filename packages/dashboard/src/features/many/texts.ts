import { BULK_PROBLEMS, type BulkProblem } from '@bursar/contract/bulk';
import { MOST_AT_ONCE } from '@bursar/contract/dashboard-limits';
import { CREATE_FEE_CENTS } from '@bursar/contract/limits';
import { moneyText } from '../../format/money.ts';
import { textsWith } from '../../preferences/catalogue.ts';
import type { ConcernKind } from './concerns.ts';
import type { OperationName } from './operations.ts';
import type { Outcome } from './run.ts';

const VALUES = { fee: moneyText(CREATE_FEE_CENTS), most: MOST_AT_ONCE };

export const manyTexts = textsWith('manyTexts', VALUES, {
	title: 'Many at once',
	lead: 'Each line is an act of its own. What became of each is said line by line.',
	prepare: 'A new run',
	operation: 'What to do',
	/** `start` is the text of the button that begins. */
	operations: {
		create: {
			name: 'Create',
			start: { one: 'Create {count} sub-user for {amount}', other: 'Create {count} sub-users for {amount}' },
		},
		give: {
			name: 'Give',
			start: { one: 'Give {amount} in {count} transfer', other: 'Give {amount} in {count} transfers' },
		},
		take: {
			name: 'Take',
			start: { one: 'Take {amount} in {count} transfer', other: 'Take {amount} in {count} transfers' },
		},
		suspend: { name: 'Suspend', start: { one: 'Suspend {count} sub-user', other: 'Suspend {count} sub-users' } },
		resume: { name: 'Resume', start: { one: 'Resume {count} sub-user', other: 'Resume {count} sub-users' } },
		limits: {
			name: 'Set limits',
			start: { one: 'Set the limits of {count} sub-user', other: 'Set the limits of {count} sub-users' },
		},
		reset_key: {
			name: 'Reset the keys',
			start: { one: 'Reset the key of {count} sub-user', other: 'Reset the keys of {count} sub-users' },
		},
		delete: {
			name: 'Delete',
			start: { one: 'Delete {count} sub-user for ever', other: 'Delete {count} sub-users for ever' },
		},
	},
	hints: {
		create:
			'Each name costs {fee}, even if it turns out to be taken. At the end, you can download their keys once, as a file. Later you see each key on the page of its sub-user.',
		give: 'Each line moves its amount from your balance.',
		take: 'Each line moves its amount to your balance.',
		suspend: 'Within seconds, the proxies refuse them. Their balances stay.',
		resume: 'Within seconds, the proxies accept them again, as far as balance and limits go.',
		limits: 'All of them get the same limits. What you do not choose stays as it is.',
		reset_key:
			'Each gets a new key. The current keys stop working within seconds. At the end, you can download the new ones once, as a file.',
		delete:
			'Within seconds, the proxies refuse them. What is left of their balances comes back to you, and their names can never be used again.',
	} as const satisfies Record<OperationName, string>,

	file: 'File',
	fileHints: {
		amounts:
			'CSV or text: a username and an amount in US dollars, like alice,5.00, a line, perhaps below a heading. Below the heading username,amount_usd,reference, a line may say what it is for.',
		usernames: 'CSV or text: a username a line, perhaps below a heading.',
		terms:
			'CSV or text: a username a line. Below a heading, a line may also say what it has from the beginning: username, amount_usd, day_bytes, month_bytes, total_bytes (like 2GB), connections, bytes_per_second (like 10Mbit), allowed_ips, expires_at (like 2026-12-31T23:00:00Z), note and reference, as many of them as you want.',
	},
	fileHint:
		'bursarctl reads the same files. Cells may be separated by semicolons too. At most {most} lines and 1 MB. Nothing is sent before the whole file was checked.',
	selected: { one: '{count} sub-user selected in the list', other: '{count} sub-users selected in the list' },
	fileInstead: 'Take a file instead',
	tooLarge: 'This file is larger than 1 MB. Split it, or use bursarctl.',
	tooMany: 'This file has more than {most} lines. Split it, or use bursarctl.',
	notText: 'This file is not UTF-8 text. Save it as “CSV UTF-8”.',
	unreadable: 'The browser could not read this file. Choose it again.',
	noLines: 'This file has no lines to work on.',
	badLines: { one: '1 line is wrong, and nothing was sent', other: '{count} lines are wrong, and nothing was sent' },
	badLine: 'Line {line}: {problem}.',
	lineProblems: { ...BULK_PROBLEMS, same_username: 'the same username as in line {firstLine}' },
	moreBadLines: 'And {count} more.',
	mend: 'Mend the file and choose it again.',
	heading: 'Line {line} is a heading and is skipped.',

	amountEach: 'Amount for each, in US dollars',
	whichLimits: 'Which limits',
	concerns: {
		unknown: {
			happened: {
				one: '1 name belongs to none of your sub-users',
				other: '{count} names belong to none of your sub-users',
			},
			why: 'These lines would be refused.',
		},
		exists: {
			happened: { one: '1 name is used already', other: '{count} names are used already' },
			why: 'You have or had such a sub-user. Creating it again would cost {fee} for nothing.',
		},
		twice: {
			happened: { one: '1 line repeats a name', other: '{count} lines repeat a name' },
			why: 'Each line counts: an amount that stands twice is moved twice.',
		},
		too_much: {
			happened: { one: '1 line takes more than there is', other: '{count} lines take more than there is' },
			why: 'These lines would be refused, unless their sub-users get balance before.',
		},
		suspended: {
			happened: { one: '1 sub-user is suspended', other: '{count} sub-users are suspended' },
			why: 'The proxies refuse them until you resume them.',
		},
		ends_now: {
			happened: { one: '1 line has an end in the past', other: '{count} lines have an end in the past' },
			why: 'The proxies would refuse these sub-users from the beginning.',
		},
	} as const satisfies Record<ConcernKind, unknown>,
	inLine: 'Line {line}:',
	asInLine: 'as in line {firstLine}',
	leaveOut: { one: 'Leave this line out', other: 'Leave these {count} lines out' },
	sendNevertheless: { one: 'Send it nevertheless', other: 'Send these {count} nevertheless' },
	leftOut: { one: '1 line is left out.', other: '{count} lines are left out.' },
	looking: 'The names are being looked up…',
	decide: 'Decide above about the lines that need it.',
	nothingLeft: 'No line is left.',
	typeCount: 'Type {count}, the number of sub-users, to delete them',
	confirmFirst: 'Type the number first.',
	fees: 'Fees',
	gifts: 'Their balances',
	comesBack: 'Comes back to you, less what their bandwidth costs until then',
	terms: 'What it has',
	lines: 'Lines',
	line: 'Line',
	name: 'Name',
	amount: 'Amount',
	reference: 'Reference',
	outcome: 'Outcome',
	total: 'In total',
	yourBalance: 'Your balance',
	afterwards: 'Afterwards',
	tooPoor: 'Your balance is too small for all lines.',
	dangerous: 'Check the lines before you begin.',

	running: '{done} of {all} lines have ended.',
	stop: 'Stop',
	goOn: { one: 'Go on with 1 line', other: 'Go on with {count} lines' },
	goOnHint: 'Nothing is done twice: each line keeps the id of its act.',
	newRun: 'Begin anew',
	selectionWaits:
		'This is an earlier run. What you have selected now waits until it has ended, or until you begin anew.',
	drop: 'Drop what is left',
	dropHint: 'Lines whose outcome is not known may have been done: look at their sub-users.',
	keep: 'Keep',
	allDone: 'All lines are done.',
	ended: 'All lines have ended.',
	interrupted: 'This run was interrupted.',
	notKept: 'This browser does not keep the run: if you reload or leave this page, it cannot be gone on with.',
	leaving: 'If you leave this page, the run stops, and can be gone on with here as long as this tab is open.',
	toList: 'All sub-users',
	outcomes: {
		open: 'Not done yet',
		unknown: 'Not known: go on, and you learn it',
		done: 'Done',
		refused: 'Refused',
	} as const satisfies Record<Outcome['state'], string>,
	counts: {
		open: '{count} not done yet',
		unknown: '{count} not known',
		done: '{count} done',
		refused: '{count} refused',
	},
	stopped: {
		asked: 'You have stopped it.',
		away: 'It stopped, because the service does not answer.',
	},
	stoppedBecause: 'It stopped: {why}',
	csv: 'Download the outcomes as CSV',
	keysFile: { one: 'Download the key of 1 sub-user as CSV', other: 'Download the keys of {count} sub-users as CSV' },
	keysOnce:
		'You can take this file once, until you leave or reload this page. It is recorded. A person who has the file can use your balance: keep it secret.',
	keysTold: 'The keys were saved as a file. You see each key on the page of its sub-user.',
	keysMissing: {
		one: '1 sub-user is left out, because it was deleted since.',
		other: '{count} sub-users are left out, because they were deleted since.',
	},
	show: 'Show',
	showAll: 'All lines',
	showNotDone: 'Lines that are not done',
	onlyDone: 'All lines that are left out are done.',
});

/** The text of the button that begins. */
export function startText(operation: OperationName, count: number, cents: number): string {
	const { operations } = manyTexts;
	switch (operation) {
		case 'create':
			return operations.create.start(count, moneyText(cents));
		case 'give':
		case 'take':
			return operations[operation].start(moneyText(cents), count);
		default:
			return operations[operation].start(count);
	}
}

/** What is wrong with a line of a file. */
export function badLineText({ line, code, firstLine }: BulkProblem): string {
	const { badLine, lineProblems } = manyTexts;
	return badLine(
		String(line),
		code === 'same_username' ? lineProblems.same_username(String(firstLine)) : lineProblems[code],
	);
}
