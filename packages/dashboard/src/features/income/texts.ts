import { texts } from '../../preferences/catalogue.ts';

export const incomeTexts = texts('incomeTexts', {
	days: 'Days',
	lastDays: { 7: '7 days', 30: '30 days', 90: '90 days' },
	lead: 'What the bandwidth of all resellers costs, by the UTC day on which it was used. It is at most five minutes old.',
	none: 'No bandwidth was charged on these days. Set the price of a reseller on its page, or with “bursar reseller price”.',
	byDay: 'By day',
	byReseller: 'By reseller',
	byResellerLead:
		'The 50 resellers with the largest cost. What no balance covered is a debt of the reseller, until it is paid.',
	reseller: 'Reseller',
	cost: 'Cost',
	debt: 'Owed now',
});
