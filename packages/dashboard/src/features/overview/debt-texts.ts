import { inLanguage } from '../../preferences/in-language.ts';

export const debtTexts = inLanguage('debtTexts', {
	title: (debt: string) => `You owe ${debt} for bandwidth that no balance covered`,
	paidFirst:
		'The next money that your balance gets pays it first: a top-up, or balance that you take back from sub-users.',
	refused: (line: string) =>
		`That is more than ${line}, so the proxies refuse your own pair and all your sub-users now, until you owe no more than that.`,
	notRefused: (line: string) => `If you owe more than ${line}, the proxies refuse all your sub-users.`,
	causes: 'See which sub-users caused it',
});
