import { numberText } from '../../format/number.ts';
import { inLanguage } from '../../preferences/in-language.ts';

export const meteringTexts = inLanguage('meteringTexts', {
	title: 'How long balances last',
	lead: 'Bandwidth is paid from the balance of the account that uses it. The rate is that of the last seven days.',
	own: 'Your own balance',
	allSubUsers: 'All sub-users together',
	weekCost: 'Cost of 7 days',
	daysLeft: 'Lasts for about',
	days(days: number | null): string {
		if (days === null) return 'nothing used';
		if (days < 1) return 'less than a day';
		const whole = Math.floor(days);
		if (whole > MOST_DAYS) return 'more than a year';
		return whole === 1 ? '1 day' : `${whole} days`;
	},
	whose: 'Balance of',
	balance: 'Balance',
	subUser: 'Sub-user',
	runningOut: 'Sub-users that run out next',
	noneRunningOut: 'No sub-user with a balance used anything in the last seven days.',
	ranOut: (count: number) => (count === 1 ? '1 sub-user has run out' : `${numberText(count)} sub-users have run out`),
	ranOutTable: 'Sub-users that ran out',
	ranOutLead:
		'Their balance is used up, so the proxies refuse them until you give them some. The list has those that used most.',
	noneRanOut: 'No sub-user has run out.',
	asOf: 'As of',
});

const MOST_DAYS = 365;
