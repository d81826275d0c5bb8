import { texts } from '../../preferences/catalogue.ts';

export const overviewTexts = texts('overviewTexts', {
	lead: 'The account of {reseller} at a glance.',

	balance: 'Balance',
	ownPair: 'Your own pair on the proxies:',
	paysForNoBandwidth: 'Pays for new sub-users and for what you give them. Bandwidth is not charged.',
	paysForBandwidth: 'Pays for new sub-users, for what you give them, and for your own bandwidth at {price} a GB.',
	lowTitle: 'Your balance is below {bound}',
	low: 'Ask the operator of this service for a top-up.',
	topUp: 'Top up your balance',
	warnsBelow: 'A warning appears here below {bound}.',
	warnsNever: 'No warning of a low balance is set.',

	subUsers: 'Sub-users',
	cannotWork: 'Cannot work now',
	refused: 'Who cannot work now, and why',
	refusedLead: {
		one: 'The proxies refuse {count} sub-user.',
		other: 'The proxies refuse {count} sub-users.',
	},
	refusedWhy: 'Why, and until when',
	allRefused: 'See all of them in the list',
	allSubUsers: 'See all of them',
	connect: 'Connect a program to the proxies',

	thisMonth: 'This month',
	toMonth: 'See its transactions',
	addingUp: 'It is being added up.',
	atStart: 'Balance when it began',
	now: 'Balance now',
	notPosted: 'Bandwidth not posted yet',
	lasts: 'All balances last for',

	recent: 'Last transactions',
	recentLead: 'The last ten transactions of your balance.',
	noMovements: 'There are no transactions yet.',
	statement: 'See all transactions',
});

export const debtTexts = texts('debtTexts', {
	title: 'You owe {debt} that no balance covered',
	paidFirst:
		'The next money that your balance gets pays it first: a top-up, or balance that you take back from sub-users.',
	refused:
		'That is more than {line}, so the proxies refuse your own pair and all your sub-users now, until you owe no more than that.',
	notRefused: 'If you owe more than {line}, the proxies refuse all your sub-users.',
	causes: 'See which sub-users caused it',
	refunds: 'See what was refunded or disputed',
});
