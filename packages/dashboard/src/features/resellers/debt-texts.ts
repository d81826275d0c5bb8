import { typedMoney } from '../../format/money.ts';
import { inLanguage } from '../../preferences/in-language.ts';

export const resellerDebtTexts = inLanguage('resellerDebtTexts', {
	owed: 'Owes for bandwidth',
	line: 'Line of the debt',
	beyond: (line: string) =>
		`The debt is above its line of ${line}, so the proxies refuse the pairs of the reseller and of all its sub-users.`,
	below: (line: string) => `Above its line of ${line}, the proxies refuse all pairs of this reseller.`,
	unpriced: 'The debt refuses nobody while bandwidth costs nothing.',
	forgive: 'Forgive',
	forgiveNow: (amount: string | undefined) => (amount === undefined ? 'Forgive' : `Forgive ${amount}`),
	dialogTitle: (reseller: string) => `Forgive a debt of ${reseller}`,
	intro: 'Takes from what the reseller owes for bandwidth, without a payment. The statement shows it with its reason.',
	amount: 'Amount in US dollars',
	amountHint: (debt: string) => `At most the debt, ${debt}.`,
	problems: {
		unreadable: `Enter dollars and cents, like ${typedMoney(1230)}.`,
		zero: 'The smallest amount is $0.01.',
		too_much: 'The reseller owes less than that.',
		too_large: 'The reseller owes less than that.',
	},
	reason: 'Reason',
	reasonHint: 'Needed. The reseller sees it.',
	now: 'Debt now',
	after: 'Debt after it',
	repeated: 'It was done: the debt is less by what you have forgiven.',
	lineField: 'Line of the debt in US dollars',
	lineHint:
		'Bandwidth that no balance covered is owed by the reseller. If it owes more than this, the proxies refuse all its pairs.',
	lineProblem: `Enter dollars and cents, like ${typedMoney(500)}; 0 refuses at the first cent.`,
});
