import type { BulkProblem } from '@bursar/contract/bulk';
import { CREATE_FEE_CENTS } from '@bursar/contract/limits';
import { MOST_AT_ONCE } from '../../acts/act.ts';
import { moneyText } from '../../format/money.ts';
import { numberText } from '../../format/number.ts';
import { inLanguage } from '../../preferences/in-language.ts';
import type { OperationName } from './operations.ts';
import type { Outcome } from './run.ts';

const FEE = moneyText(CREATE_FEE_CENTS);
const MOST = numberText(MOST_AT_ONCE);

function subUsersText(count: number): string {
	return count === 1 ? '1 sub-user' : `${numberText(count)} sub-users`;
}

interface OperationTexts {
	readonly name: string;
	/** What the button says that begins, for so many lines and cents. */
	readonly start: (count: number, cents: number) => string;
}

export const manyTexts = inLanguage('manyTexts', {
	title: 'Many at once',
	lead: 'Each line is an act of its own. What became of each is said line by line.',
	operation: 'What to do',
	operations: {
		create: {
			name: 'Create',
			start: (count, cents) => `Create ${subUsersText(count)} for ${moneyText(cents)}`,
		},
		give: { name: 'Give', start: (count, cents) => `Give ${moneyText(cents)} in ${transfersText(count)}` },
		take: { name: 'Take', start: (count, cents) => `Take ${moneyText(cents)} in ${transfersText(count)}` },
		suspend: { name: 'Suspend', start: (count) => `Suspend ${subUsersText(count)}` },
		resume: { name: 'Resume', start: (count) => `Resume ${subUsersText(count)}` },
		limits: { name: 'Set limits', start: (count) => `Set the limits of ${subUsersText(count)}` },
	} satisfies Record<OperationName, OperationTexts>,
	hints: {
		create: `Each name costs ${FEE}, even if it turns out to be taken. At the end, you can download their keys once, as a file. Later you see each key on the page of its sub-user.`,
		give: 'Each line moves its amount from your balance.',
		take: 'Each line moves its amount to your balance.',
		suspend: 'Within seconds, the proxies refuse them. Their balances stay.',
		resume: 'Within seconds, the proxies accept them again, as far as balance and limits go.',
		limits: 'All of them get the same limits. What you do not choose stays as it is.',
	} satisfies Record<OperationName, string>,

	file: 'File',
	fileHint: (hasAmounts: boolean) =>
		`CSV or text: ${hasAmounts ? 'a username and an amount in US dollars, like alice,5.00,' : 'a username'} a line, perhaps below a heading, as for bursarctl. At most ${MOST} lines and 1 MB. Nothing is sent before the whole file was checked.`,
	selected: (count: number) => `${subUsersText(count)} selected in the list`,
	fileInstead: 'Take a file instead',
	tooLarge: 'This file is larger than 1 MB. Split it, or use bursarctl.',
	tooMany: `This file has more than ${MOST} lines. Split it, or use bursarctl.`,
	notText: 'This file is not UTF-8 text. Save it as CSV in UTF-8.',
	unreadable: 'The browser could not read this file. Choose it again.',
	noLines: 'This file has no lines to work on.',
	badLines: (count: number) =>
		count === 1
			? '1 line is wrong, and nothing was sent'
			: `${numberText(count)} lines are wrong, and nothing was sent`,
	badLine: ({ line, problem }: BulkProblem) => `Line ${line}: ${problem}.`,
	moreBadLines: (count: number) => `And ${numberText(count)} more.`,
	mend: 'Mend the file and choose it again.',
	heading: (line: number) => `Line ${line} is a heading and is skipped.`,

	amountEach: 'Amount for each, in US dollars',
	whichLimits: 'Which limits',
	lines: 'Lines',
	line: 'Line',
	name: 'Name',
	amount: 'Amount',
	outcome: 'Outcome',
	total: 'In total',
	yourBalance: 'Your balance',
	afterwards: 'Afterwards',
	tooPoor: 'Your balance is too small for all lines.',
	dangerous: 'Check the lines before you begin.',

	running: (done: number, all: number) => `${numberText(done)} of ${numberText(all)} lines have ended.`,
	stop: 'Stop',
	goOn: (count: number) => (count === 1 ? 'Go on with 1 line' : `Go on with ${numberText(count)} lines`),
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
	} satisfies Record<Outcome['state'], string>,
	counts: {
		open: (count: string) => `${count} not done yet`,
		unknown: (count: string) => `${count} not known`,
		done: (count: string) => `${count} done`,
		refused: (count: string) => `${count} refused`,
	} satisfies Record<Outcome['state'], (count: string) => string>,
	stopped: {
		asked: 'You have stopped it.',
		away: 'It stopped, because the service does not answer.',
	},
	stoppedBecause: (why: string) => `It stopped: ${why}`,
	csv: 'Download the outcomes as CSV',
	keysFile: (count: number) =>
		count === 1
			? 'Download the key of 1 sub-user as CSV'
			: `Download the keys of ${numberText(count)} sub-users as CSV`,
	keysOnce:
		'You can take this file once, until you leave or reload this page. It is recorded. Whoever has the file can use your balance: keep it secret.',
	keysTold: 'The keys were saved as a file. You see each key on the page of its sub-user.',
	keysMissing: (count: number) =>
		count === 1
			? '1 sub-user is left out, because it was deleted since.'
			: `${numberText(count)} sub-users are left out, because they were deleted since.`,
	show: 'Show',
	showAll: 'All lines',
	showNotDone: 'Lines that are not done',
	onlyDone: 'All lines that are left out are done.',
});

function transfersText(count: number): string {
	return count === 1 ? '1 transfer' : `${numberText(count)} transfers`;
}
