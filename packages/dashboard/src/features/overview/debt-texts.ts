import { texts } from '../../preferences/catalogue.ts';

export const debtTexts = texts('debtTexts', {
	title: 'You owe {debt} for bandwidth that no balance covered',
	paidFirst:
		'The next money that your balance gets pays it first: a top-up, or balance that you take back from sub-users.',
	refused:
		'That is more than {line}, so the proxies refuse your own pair and all your sub-users now, until you owe no more than that.',
	notRefused: 'If you owe more than {line}, the proxies refuse all your sub-users.',
	causes: 'See which sub-users caused it',
});
