import type { ResellerOrder } from '@bursar/contract/dashboard';
import { moneyText, typedMoney } from '../../format/money.ts';
import { inLanguage } from '../../preferences/in-language.ts';

export const resellerTexts = inLanguage('resellerTexts', {
	lead: 'Each has an account, a token for the API, and people who sign in here.',
	label: 'Resellers',
	search: 'Search by the beginning of the name',
	name: 'Reseller',
	balance: 'Balance',
	price: 'Price of a GB',
	notMetered: 'Not metered',
	suspended: 'Suspended',
	owes: (debt: string) => `Owes ${debt}`,
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
	} satisfies Record<ResellerOrder, string>,
	never: 'Never',
	none: 'There are no resellers yet. Create the first one.',
	nothingFound: 'No reseller has a name that begins with this.',

	create: 'Create a reseller',
	createIntro: 'The reseller gets an account and a token for the API. You can invite its people afterwards.',
	username: 'Name',
	openingBalance: 'Opening balance in US dollars',
	openingHint: 'Optional. To record a payment with a reference, make a top-up afterwards.',
	createNow: 'Create',
	createdTitle: (reseller: string) => `The token of ${reseller}`,
	createdIntro: (reseller: string) =>
		`${reseller} was created. This is its token for the API. It is shown only now: hand it over where nobody else can read it.`,
	createdLost: (reseller: string) =>
		`${reseller} was created, but its token was in the answer that was lost, and it cannot be shown again. Open the page of ${reseller}, and end its tokens: you then get a new one.`,

	all: 'All resellers',

	subUsers: 'Sub-users',
	subUsersLead: 'Their balances, states, limits and bandwidth. Only the reseller changes them, and sees their keys.',
	showSubUsers: 'Show the sub-users',

	tokens: 'Token',
	tail: 'Ends in',
	made: 'Made',
	madeBy: 'Made by',
	operator: 'The operator',
	tokenLastUsed: 'Last used',
	previousTitle: (tail: string) => `The previous token, which ends in ${tail}, is being retired`,
	previousUntil: (moment: string) => `It works until ${moment}.`,
	previousEnded: (moment: string) => `It ended at ${moment}.`,
	endTokens: 'End all tokens',
	endTokensTitle: (reseller: string) => `End all tokens of ${reseller}?`,
	endTokensBreaks: (reseller: string) => `This breaks every program with which ${reseller} calls the API:`,
	endTokensEffects: [
		'All tokens are refused at once, and in every process within 30 seconds.',
		'Its programs get “unauthorized” until they have the new token, which you see only once.',
		'Its balance, its people, its sub-users and their proxy auth keys stay as they are.',
	],
	endedIntro: (reseller: string) =>
		`All earlier tokens of ${reseller} have ended. This is the new one. It is shown only now: hand it over where nobody else can read it.`,
	endedLost:
		'The tokens have ended, but the new one was in the answer that was lost, and it cannot be shown again. Close this, and end all tokens once more: you then get a new one.',
	newToken: 'New token',

	payTitles: {
		'/operator/top-up': (reseller: string) => `Top up ${reseller}`,
		'/operator/adjust': (reseller: string) => `Take money back from ${reseller}`,
	},
	payIntros: {
		'/operator/top-up': 'Adds a payment to the balance of the reseller.',
		'/operator/adjust': 'Takes money back, for example because a payment was wrong.',
	},
	payTexts: { '/operator/top-up': 'Top up', '/operator/adjust': 'Take back' },
	payNow: {
		'/operator/top-up': (cents: number) => `Top up ${moneyText(cents)}`,
		'/operator/adjust': (cents: number) => `Take back ${moneyText(cents)}`,
	},
	amount: 'Amount in US dollars',
	amountHint: `Dollars and cents, like ${typedMoney(1230)}.`,
	amountProblems: {
		invalid_amount: `Enter dollars and cents, like ${typedMoney(1230)}.`,
		zero: 'The smallest amount is $0.01.',
		too_large: 'No balance can be that large.',
	},
	tooMuch: (balance: number) => `The balance is only ${moneyText(balance)}.`,
	reference: 'Reference',
	referenceHint:
		'Your own name for this payment, like the number of an invoice. Each reference counts once on the platform.',
	reason: 'Reason',
	reasonHints: {
		'/operator/top-up': 'Optional. The reseller can read it.',
		'/operator/adjust': 'The reseller reads why the money is taken back.',
	},
	again: 'The same amount again',
	againHint: (bound: string) => `An amount above ${bound} is typed twice.`,
	againFarOff: (bound: string) =>
		`An amount above ${bound} is typed twice: it is more than ten times the largest top-up of this reseller so far.`,
	againDiffers: 'The two amounts are different.',
	balanceNow: 'Balance now',
	balanceAfter: 'Balance after it',
	payLost:
		'No answer arrived, so it is not known whether the payment was counted. Try again: the same reference never counts twice, and you then learn what became of it.',
	paid: (balance: number) => `Done. The balance is ${moneyText(balance)} now.`,
	paidBefore: (reference: string, balance: number) =>
		`A payment with the reference ${reference} and this amount was counted before. Nothing was moved now. The balance is ${moneyText(balance)}.`,
	paidOnce: 'The payment was counted, once. Nothing was counted twice.',

	statementLead: (zone: string) => `Every transaction, the newest first. All times are in ${zone}.`,
});
