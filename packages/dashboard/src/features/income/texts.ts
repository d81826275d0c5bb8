import { texts } from '../../preferences/catalogue.ts';

export const incomeTexts = texts('incomeTexts', {
	days: 'Days',
	lastDays: { 7: '7 days', 30: '30 days', 90: '90 days', month: 'This month' },
	lead: 'What all resellers bring. Bandwidth counts on the UTC day on which it was used. The ledger books it later, so a statement can have it on the next day.',
	none: 'No bandwidth was charged on these days. Set the price of a reseller on its page, or with “bursar reseller price”.',
	byDay: 'By day',
	fees: 'Fees',
	total: 'Income',
	topUps: 'Top-ups',
	asOf: 'As of',
	byReseller: 'By reseller',
	byResellerLead:
		'Of bandwidth, the largest first. The fees of all are one row. What no balance covered is a debt of the reseller, until it is paid.',
	reseller: 'Reseller',
	others: { one: '1 other', other: 'All {count} others' },
	allFees: 'Fees for sub-users, of all resellers',
	all: 'Together',
	cost: 'Bandwidth',
	debt: 'Owed now',
});
