import type { ResellerOrder } from '@bursar/contract/dashboard';
import { MAX_NOTE_CHARACTERS } from '@bursar/contract/limits';
import { moneyText, typedMoney } from '../../format/money.ts';
import { textsWith } from '../../preferences/catalogue.ts';

const VALUES = { example: typedMoney(1230), smallest: moneyText(1), mostCharacters: MAX_NOTE_CHARACTERS };

export const resellerTexts = textsWith('resellerTexts', VALUES, {
	lead: 'Each has an account, a token for the API, and people who sign in here.',
	label: 'Resellers',
	search: 'Search by the beginning of the name',
	name: 'Reseller',
	balance: 'Balance',
	price: 'Price of a GB',
	notMetered: 'Not metered',
	suspended: 'Suspended',
	owes: 'Owes {debt}',
	bandwidth: 'In 30 days',
	today: '{bytes} today',
	refused: 'Cannot work',
	created: 'Created',
	last_used: 'API last used',
	orders: {
		name: 'Name, from A to Z',
		'-name': 'Name, from Z to A',
		'-balance': 'Largest balance first',
		balance: 'Smallest balance first',
		'-last_used': 'Last used first',
		last_used: 'Never or long ago used first',
		'-created': 'Newest first',
		created: 'Oldest first',
		'-bandwidth': 'Most bandwidth first',
		bandwidth: 'Least bandwidth first',
		'-refused': 'Most sub-users who cannot work first',
		refused: 'Fewest sub-users who cannot work first',
	} as const satisfies Record<ResellerOrder, string>,
	never: 'Never',
	none: 'There are no resellers yet. Create the first one.',
	nothingFound: 'No reseller has a name that begins with this.',

	create: 'Create a reseller',
	createIntro: 'The reseller gets an account and a token for the API. You can invite its people afterwards.',
	username: 'Name',
	openingBalance: 'Opening balance in US dollars',
	openingHint: 'Optional. To record a payment with a reference, make a top-up afterwards.',
	createNow: 'Create',
	createdTitle: 'The token of {reseller}',
	createdIntro:
		'{reseller} was created. This is its token for the API. It is shown only now: hand it over where no other person can read it.',
	createdLost:
		'{reseller} was created, but its token was in the answer that was lost, and it cannot be shown again. Open the page of {reseller}, and end its tokens: you then get a new one.',

	all: 'All resellers',

	noteLead: 'For operators. The reseller does not see it.',
	noteHint: 'For operators: one line of at most {mostCharacters} characters. Empty: no note.',

	subUsers: 'Sub-users',
	subUsersLead: 'Their balances, states, limits and bandwidth. Only the reseller changes them, and sees their keys.',
	showSubUsers: 'Show the sub-users',
	webhooksLead: 'Where the programs of the reseller want events to be sent, and whether they arrive.',
	showWebhooks: 'Show the webhooks',
	showPayments: 'Show payments through providers',

	tokens: 'Token',
	tail: 'Ends in',
	made: 'Made',
	madeBy: 'Made by',
	operator: 'The operator',
	tokenLastUsed: 'Last used',
	previousTitle: 'The previous token, which ends in {tail}, is being retired',
	previousUntil: 'It works until {moment}.',
	previousEnded: 'It ended at {moment}.',
	endTokens: 'End all tokens',
	endTokensTitle: 'End all tokens of {reseller}?',
	endTokensBreaks: 'This breaks every program with which {reseller} calls the API:',
	endTokensEffects: {
		tokens: 'All tokens, the further ones too, are refused at once, and in every process within 30 seconds.',
		programs: 'Its programs get “unauthorized” until they have the new token, which you see only once.',
		rest: 'Its balance, its people, its sub-users and their proxy auth keys stay as they are.',
	},
	endedIntro:
		'All earlier tokens of {reseller} have ended. This is the new one. It is shown only now: hand it over where no other person can read it.',
	endedLost:
		'The tokens have ended, but the new one was in the answer that was lost, and it cannot be shown again. Close this, and end all tokens once more: you then get a new one.',
	newToken: 'New token',

	payTitles: {
		'/operator/top-up': 'Top up {reseller}',
		'/operator/adjust': 'Take money back from {reseller}',
	},
	payIntros: {
		'/operator/top-up': 'Adds a payment to the balance of the reseller.',
		'/operator/adjust': 'Takes money back, for example because a payment was wrong.',
	},
	payTexts: { '/operator/top-up': 'Top up', '/operator/adjust': 'Take back' },
	payNow: {
		'/operator/top-up': 'Top up {cents}',
		'/operator/adjust': 'Take back {cents}',
	},
	amount: 'Amount in US dollars',
	amountHint: 'Dollars and cents, like {example}.',
	amountProblems: {
		invalid_amount: 'Enter dollars and cents, like {example}.',
		zero: 'The smallest amount is {smallest}.',
		too_large: 'No balance can be that large.',
	},
	tooMuch: 'The balance is only {balance}.',
	reference: 'Reference',
	referenceHint:
		'Your own name for this payment, like the number of an invoice. Each reference counts once on the platform.',
	reason: 'Reason',
	reasonHints: {
		'/operator/top-up': 'Optional. The reseller can read it.',
		'/operator/adjust': 'The reseller reads why the money is taken back.',
	},
	again: 'The same amount again',
	againHint: 'An amount above {bound} is typed twice.',
	againFarOff:
		'An amount above {bound} is typed twice: it is more than ten times the largest top-up of this reseller so far.',
	againDiffers: 'The two amounts are different.',
	balanceNow: 'Balance now',
	balanceAfter: 'Balance after it',
	payLost:
		'No answer arrived, so it is not known whether the payment was counted. Try again: the same reference never counts twice, and you then learn what became of it.',
	paid: 'Done. The balance is {balance} now.',
	paidBefore:
		'A payment with the reference {reference} and this amount was counted before. Nothing was moved now. The balance is {balance}.',
	paidOnce: 'The payment was counted, once. Nothing was counted twice.',

	statementLead: 'The transactions, the newest first. All times are in {zone}.',
});
