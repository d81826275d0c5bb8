import { texts } from '../../preferences/catalogue.ts';

/** What each problem means, and what to do. The titles are the words of the service, which writes no capital letter. */
export const KNOWN_PROBLEMS = {
	balance_sum: {
		title: 'The balance is not the sum of its ledger entries',
		means:
			'The stored balance was changed without a transaction, or a transaction without its balance. The service itself always writes both at once.',
		todo: 'Find out who writes to the database directly. Restore from a backup, or compare the transactions of this account with what its owner was told.',
	},
	entry_balances: {
		title: 'A ledger entry does not lead from the balance before to the balance after',
		means: 'A transaction was added, changed or removed behind the back of the service.',
		todo: 'Find out who writes to the database directly. Download the statement of the account: the row whose balance does not follow from the one before it is where it happened.',
	},
	entry_kind: {
		title: 'A ledger entry is of a kind that this version does not know',
		means: 'A newer version has written it, or a person has by hand.',
		todo: 'Run the version that wrote it, and verify again.',
	},
	balance_below_zero: {
		title: 'The balance is below zero',
		means: 'The service never lets a balance go below zero, so the balance was changed in another way.',
		todo: 'Find out who writes to the database directly. Top up the account only after you know why.',
	},
	debt_sum: {
		title: 'The debt is not the sum of its ledger entries',
		means:
			'The stored debt of the reseller was changed without a transaction, or a transaction without the debt. The service itself always writes both at once.',
		todo: 'Find out who writes to the database directly. Compare the lines of the debt in the statement of the reseller with its bandwidth.',
	},
	debt_and_balance: {
		title: 'The reseller owes something, and has a balance that could pay it',
		means: 'The service always pays a debt as far as the balance of the reseller can, so one of both was changed.',
		todo: 'Find out who writes to the database directly. The next change of this balance pays the debt.',
	},
	newest_movement: {
		title: 'The id of its newest movement is not that of its ledger entries',
		means:
			'Each transaction of a reseller gets the next id. Its account keeps the last one, and one of both was changed, or a transaction was removed.',
		todo: 'Find out who writes to the database directly. While the kept id is behind, nothing of this reseller can be moved. While it is ahead, ids are left out.',
	},
	entry_account: {
		title: 'A ledger entry names an account that does not exist',
		means: 'An account was removed. The service never removes any.',
		todo: 'Restore the account from a backup.',
	},
	deleted_account: {
		title: 'A deleted sub-user still has an account, or its name is free',
		means:
			'A name of a sub-user that was deleted is in use again, or could be. Its past and that of another would be mixed.',
		todo: 'Find out who writes to the database directly. Restore from a backup.',
	},
	register: {
		title: 'The account and the register of usernames do not agree',
		means:
			'A name is taken without an account, or the name of an account is not registered. Such a name could be given out twice.',
		todo: 'Find out who writes to the database directly. Restore from a backup.',
	},
	money_in: {
		title: 'The money that came in is not the balances of the accounts of this reseller plus their fees',
		means: 'Money of this reseller has appeared or vanished within its accounts.',
		todo: 'Look for another problem of its accounts in this list: that one names the account.',
	},
	meter_cost: {
		title: 'The cost of its bandwidth is not its bytes times the price',
		means: 'The bytes, the cost or the price of a meter was changed behind the back of the service.',
		todo: 'Find out who writes to the database directly. Compare the statement of the account with the reports of your proxy hosts, and give back with “bursar reseller credit” what was charged too much.',
	},
	day_cost: {
		title: 'The days of its bandwidth do not cost what its meters say',
		means: 'The cost of a day, or that of a meter, was changed. The service always writes both at once.',
		todo: 'Find out who writes to the database directly. What was charged follows the meters, not the days.',
	},
	reseller_day_cost: {
		title: 'The days of a reseller do not cost what those of its accounts do',
		means: 'The cost of a day of the reseller was changed. It is only shown, and nothing is charged by it.',
		todo: 'Find out who writes to the database directly.',
	},
	settled: {
		title: 'What was settled of its bandwidth is not the sum of its charges',
		means: 'A charge was added, changed or removed, or the meter that it belongs to was.',
		todo: 'Find out who writes to the database directly. Compare the lines of bandwidth in the statement of the account with its bytes.',
	},
	charge_cost: {
		title: 'A charge of its bandwidth is not its bytes times the price',
		means: 'The bytes, the cents or the price of a charge were changed. A statement shows them.',
		todo: 'Find out who writes to the database directly. Compare the lines of bandwidth in the statement of the account with its bytes.',
	},
	charge_entries: {
		title: 'The ledger entries of its bandwidth are not what was charged',
		means: 'A charge for bandwidth has no transaction of the same amount, or a transaction has no charge.',
		todo: 'Find out who writes to the database directly. Restore from a backup, or mend the balance with “bursar reseller credit”.',
	},
	priced_account: {
		title: 'No account has this name, but a price or a meter names it',
		means: 'An account was removed. The service never removes any.',
		todo: 'Restore the account from a backup.',
	},
	person_reseller: {
		title: 'The person belongs to a reseller that does not exist',
		means: 'This person cannot do anything, because the reseller is missing.',
		todo: 'Lock the person with “bursar person lock”, and restore the reseller from a backup.',
	},
	payment_entry: {
		title: 'A payment has no ledger entry',
		means:
			'A top-up or an adjustment is recorded under this reference, but the money was not moved, or its transaction was changed.',
		todo: 'Find out who writes to the database directly. Compare the statement of the reseller with your own books.',
	},
	payment_booked: {
		title: 'What is booked of a payment through a provider is not the sum of its postings',
		means: 'The payment or one of its postings was changed or removed past the service.',
		todo: 'Compare the payment and the statement of the reseller with what the provider says. Find out who writes to the database directly.',
	},
	sign_in_account: {
		title: 'No account has this name, but it signs in from an address',
		means: 'The address is left over from an account that was removed by hand.',
		todo: 'No money is affected. Find out who writes to the database directly.',
	},
	sign_in_address: {
		title: 'Another account signs in from the same address',
		means: 'Whoever uses the proxies from this address could be either of the two accounts.',
		todo: 'Take the address from one of them. Find out who writes to the database directly.',
	},
	warning_reseller: {
		title: 'No reseller has this name',
		means: 'The bound of a balance warning is left over from a reseller that was removed by hand.',
		todo: 'No money is affected. Find out who writes to the database directly.',
	},
	person: {
		title: 'No person has this id',
		means: 'A session, a link, a factor or an act is left over from a person who was removed by hand.',
		todo: 'No money is affected. Find out who writes to the database directly.',
	},
} as const;

export const ledgerTexts = texts('ledgerTexts', {
	lead: 'A verification recomputes every balance from the transactions, while the service runs. Run one daily, and after every restore.',
	last: 'Last verification',
	none: 'The ledger was never verified.',
	fine: 'No problems were found.',
	problemsTitle: { one: '1 problem was found.', other: '{count} problems were found.' },
	unfinishedTitle: 'The last verification could not be finished.',
	unfinished:
		'The process that ran it was stopped, or could not read the store. It says nothing about the ledger. Verify again.',
	ended: 'Ended',
	took: 'Took',
	lessThanSecond: 'less than a second',
	seconds: { one: '{count} second', other: '{count} seconds' },
	/** For at least two. */
	minutes: '{minutes} minutes',
	by: 'Started by',
	operator: 'The command line',
	accounts: 'Accounts',
	transfers: 'Transactions',
	verify: 'Verify the ledger',
	runs: 'A verification is running. Wait until it has ended.',
	running: 'A verification is running',
	started: 'Started',
	progress: '{percent} % done',
	progressLabel: 'Progress of the verification',
	leave: 'You can leave this page. It keeps running.',

	problemsBelow: 'What each of them means, and what to do, is listed below.',
	problems: 'Problems',
	firstOf: 'The first {shown} of {all}.',
	problemsLead: 'Money stays as it is until you act. Make a backup before anything else.',
	unknownProblem: {
		means: 'This page does not know this kind of problem.',
		todo: 'Ask the maintainers, with the text of the problem.',
	},
	knownProblems: KNOWN_PROBLEMS,
});
