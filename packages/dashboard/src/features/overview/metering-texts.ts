import { texts } from '../../preferences/catalogue.ts';

export const meteringTexts = texts('meteringTexts', {
	title: 'How long balances last',
	lead: 'Bandwidth is paid from the balance of the account that uses it. The rate is that of the last seven days.',
	own: 'Your own balance',
	allSubUsers: 'All sub-users together',
	weekCost: 'Cost of 7 days',
	daysLeft: 'Lasts for about',
	nothingUsed: 'nothing used',
	lessThanDay: 'less than a day',
	moreThanYear: 'more than a year',
	days: { one: '{count} day', other: '{count} days' },
	whose: 'Balance of',
	balance: 'Balance',
	subUser: 'Sub-user',
	runningOut: 'Sub-users that run out next',
	noneRunningOut: 'No sub-user with a balance used anything in the last seven days.',
	ranOut: { one: '1 sub-user has run out', other: '{count} sub-users have run out' },
	ranOutTable: 'Sub-users that ran out',
	ranOutLead:
		'Their balance is used up, so the proxies refuse them until you give them some. The list has those that used most.',
	noneRanOut: 'No sub-user has run out.',
	asOf: 'As of',
});

/** How long balances last. `null`: nothing is used. */
export function daysLeftText(days: number | null): string {
	if (days === null) return meteringTexts.nothingUsed;
	if (days < 1) return meteringTexts.lessThanDay;
	const whole = Math.floor(days);
	return whole > MOST_DAYS ? meteringTexts.moreThanYear : meteringTexts.days(whole);
}

const MOST_DAYS = 365;
