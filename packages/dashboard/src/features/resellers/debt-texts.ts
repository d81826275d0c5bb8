import { moneyText, typedMoney } from '../../format/money.ts';
import { textsWith } from '../../preferences/catalogue.ts';

const VALUES = { example: typedMoney(1230), exampleLine: typedMoney(500), smallest: moneyText(1) };

export const resellerDebtTexts = textsWith('resellerDebtTexts', VALUES, {
	owed: 'Owes',
	line: 'Line of the debt',
	beyond:
		'The debt is above its line of {line}, so the proxies refuse the pairs of the reseller and of all its sub-users.',
	below: 'Above its line of {line}, the proxies refuse all pairs of this reseller.',
	unpriced: 'While bandwidth costs nothing, proxies refuse no sub-user for the debt.',
	forgive: 'Forgive',
	forgiveNow: 'Forgive {amount}',
	dialogTitle: 'Forgive a debt of {reseller}',
	intro: 'Takes from what the reseller owes, without a payment. The statement shows it with its reason.',
	amount: 'Amount in US dollars',
	amountHint: 'At most the debt, {debt}.',
	problems: {
		unreadable: 'Enter dollars and cents, like {example}.',
		zero: 'The smallest amount is {smallest}.',
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
	lineProblem: 'Enter dollars and cents, like {exampleLine}; 0 refuses at the first cent.',
});
