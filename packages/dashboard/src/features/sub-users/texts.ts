import type { SubUserOrder } from '@bursar/contract/dashboard';
import { CREATE_FEE_CENTS, MAX_NOTE_CHARACTERS } from '@bursar/contract/limits';
import type { FailureText } from '../../calls/failure-texts.ts';
import { type AmountProblem, moneyText, typedMoney } from '../../format/money.ts';
import { numberText } from '../../format/number.ts';
import { inLanguage } from '../../preferences/in-language.ts';
import type { MovementDirection } from './movement-preview.ts';

const FEE = moneyText(CREATE_FEE_CENTS);

export const subUserTexts = inLanguage('subUserTexts', {
	lead: 'Each signs in to the proxy with a key of its own.',
	listUnmetered: 'Balances are what you give and take: they do not limit traffic, and bandwidth is not charged.',
	listMetered: (price: string) =>
		`Balances pay for bandwidth at ${price} a GB. Whoever has nothing left is refused by the proxies.`,
	low: 'Less than 1 GB',
	count: (count: number) => (count === 1 ? '1 sub-user' : `${numberText(count)} sub-users`),
	found: (count: number) => (count === 1 ? '1 found' : `${numberText(count)} found`),
	/** Which of them this page shows. */
	range: (first: number, last: number) => `${numberText(first)}–${numberText(last)} of `,
	csv: 'Download all as CSV',
	label: 'Sub-users',
	name: 'Name',
	balance: 'Balance',
	bandwidth: 'Bandwidth, 30 days',
	created: 'Created',
	search: 'Search by name',
	match: 'Where to search in the name',
	matches: { beginning: 'Begins with', anywhere: 'Contains' },
	orders: {
		name: 'Name, from A to Z',
		'-name': 'Name, from Z to A',
		'-balance': 'Largest balance first',
		balance: 'Smallest balance first',
		'-created': 'Newest first',
		created: 'Oldest first',
		'-bandwidth': 'Most bandwidth first',
		bandwidth: 'Least bandwidth first',
	} satisfies Record<SubUserOrder, string>,
	noneYet: 'You have no sub-users yet. Create the first one above.',
	noneFound: (search: string, match: 'beginning' | 'anywhere') =>
		match === 'beginning' ? `No name begins with “${search}”.` : `No name contains “${search}”.`,
	noneInState: 'No sub-user matches the search and the state.',
	stateFilter: 'State',
	anyState: 'Any state',
	acts: 'Actions',
	many: 'Many at once',
	select: (username: string) => `Select ${username}`,
	selectAll: 'Select all on this page',
	selection: 'The selected sub-users',
	selected: (count: number) => `${numberText(count)} selected`,
	selectionActs: { suspend: 'Suspend…', resume: 'Resume…', give: 'Give…', limits: 'Set limits…' },
	clearSelection: 'Clear the selection',
	searchAnywhere: 'Search anywhere in the names',
	showAll: 'Show all sub-users',

	create: 'Create a sub-user',
	createNow: `Create for ${FEE}`,
	username: 'Name',
	fee: `Creating charges ${FEE} to your balance, also if the name turns out to be taken.`,
	deleted: {
		happened: 'You had a sub-user with this name, and deleted it. Nothing was charged.',
		todo: 'A name is never given a second time. Choose another one.',
	} satisfies FailureText,
	taken: {
		happened: `This name is taken, and ${FEE} was charged.`,
		todo: `Choose another name. Each try costs ${FEE}.`,
	} satisfies FailureText,
	maybeFree: 'Whether another reseller has it shows only when it is created.',
	own: {
		happened: 'You have a sub-user with this name already. Nothing was charged.',
		todo: 'Find it in the list, or choose another name.',
	} satisfies FailureText,
	tooPoor: {
		happened: `Your balance is below ${FEE}, and nothing was done.`,
		todo: 'Ask the operator of this service for a top-up, or take balance back from a sub-user.',
	} satisfies FailureText,
	createdTitle: (username: string) => `${username} was created`,
	createdIntro: 'Its programs sign in to the proxy with this. You can see it again later.',
	openPage: 'Open its page',
	createAnother: 'Create another one',
	done: 'Done',

	reading: 'Looking now…',
	repeatedCreate: (username: string, created: string) =>
		`You have a sub-user ${username}, created ${created}. If that was just now, it is the one that you asked for. It was not charged twice.`,
	repeatedTaken: (username: string) => `${username} was not created: the name was taken. ${FEE} was charged once.`,
	repeatedMovement: (username: string, balance: string, resellerBalance: string) =>
		`It was done before, and not again. Now ${username} has ${balance}, and you have ${resellerBalance}.`,
	repeatedReset: 'The key was reset. The new one was in the answer that was lost. You can show it on this page.',

	all: 'All sub-users',
	createdOn: 'Created',
	moveTitle: (direction: MovementDirection, username: string) =>
		direction === 'give' ? `Give to ${username}` : `Take from ${username}`,
	give: 'Give',
	take: 'Take',
	moveNow: (direction: MovementDirection, amount: string) =>
		direction === 'give' ? `Give ${amount}` : `Take ${amount}`,
	amount: 'Amount in US dollars',
	moveNote: 'Note (optional)',
	moveNoteHint: 'Stands in the list of transactions.',
	moveNoteTooLong: `At most ${MAX_NOTE_CHARACTERS} characters.`,
	amountHint: `Dollars and cents, like ${typedMoney(1230)}.`,
	amountProblems: {
		unreadable: `Enter dollars and cents, like ${typedMoney(1230)}.`,
		zero: 'The smallest amount is $0.01.',
		too_much: 'There is not that much.',
		too_large: 'No balance can be that large.',
	} satisfies Record<AmountProblem, string>,
	youHave: (amount: string) => `You have only ${amount}.`,
	subUserHas: (username: string, amount: string) => `${username} has only ${amount}.`,
	takeAll: 'Take all of it',
	afterwards: 'Both balances',
	account: 'Account',
	now: 'Now',
	after: 'Afterwards',
	balanceLead: 'The balance does not limit traffic, and bandwidth is not charged to it.',
	balancePays: (price: string) => `The balance pays for bandwidth at ${price} a GB.`,
	leftFor: (bytes: string) => `About ${bytes} left.`,
	nothingLeft: 'Nothing is left for bandwidth.',
	you: 'You',
	moved: (direction: MovementDirection, amount: string, username: string) =>
		direction === 'give' ? `You gave ${amount} to ${username}.` : `You took ${amount} from ${username}.`,

	key: 'Proxy auth key',
	keyLead: 'With its name and this key, the sub-user signs in to the proxy.',
	showKey: 'Show the key',
	showIsRecorded: 'It is hidden. Showing it is recorded.',
	hideKey: 'Hide the key',
	keyForm: 'Key',
	userAndKeyForm: 'Name and key',
	proxyUrlForm: 'Proxy URL',
	noProxyHost: 'The operator of this service has not said where the proxy is, so there is no proxy URL to copy.',
	connect: 'Connect a program with it',
	resetKey: 'Reset the key',
	resetTitle: 'Reset the proxy auth key?',
	reset: (username: string) =>
		`${username} gets a new key. The current key stops working within seconds, and everything that uses it is refused until it has the new one.`,
	resetNow: 'Reset',
	newKeyTitle: 'The new proxy auth key',
	newKeyIntro: 'The previous key stops working within seconds. Replace it with this one. You can see it again later.',

	movements: 'Transactions',
	movementsLead: 'What it got, what was taken from it, and what it paid for its bandwidth.',
	noMovements: 'Nothing was given to it or taken from it yet.',
	toStatement: 'See all its transactions',
});
