import type { PricePerGb } from '@bursar/contract/dashboard';
import { MAX_PRICE_MICRO_USD } from '@bursar/contract/limits';
import { priceText, typedMoney } from '../../format/money.ts';
import { inLanguage } from '../../preferences/in-language.ts';

export const priceTexts = inLanguage('priceTexts', {
	title: 'Price of a GB',
	metered:
		'The balances of this reseller and of its sub-users pay for bandwidth at this price, up and down together. Whoever has nothing left is refused by the proxies.',
	notMetered: 'Bandwidth costs nothing. Balances are what is given and taken: they do not limit traffic.',
	set: 'Set the price',
	/** `undefined`: no price was typed yet. */
	setNow(price: PricePerGb | undefined): string {
		if (price === undefined) return 'Set';
		return price === null ? 'Stop charging' : `Set ${this.ofGb(price)}`;
	},
	ofGb: (price: PricePerGb) => (price === null ? 'Not metered' : `${priceText(price)} a GB`),
	dialogTitle: (reseller: string) => `Price of a GB for ${reseller}`,
	intro:
		'What is counted from now on is charged at this price. What was counted before stays as it was charged. 1 GB is 10⁹ bytes, up and down together.',
	cutOff:
		'From now on balances pay for bandwidth: accounts that have no balance are refused by the proxies within seconds.',
	stopped: 'From now on bandwidth costs nothing, and balances do not limit it.',
	price: 'US dollars a GB',
	hint: `Like ${typedMoney(350)}, with at most six decimals.`,
	problems: {
		unreadable: `Enter dollars with at most six decimals, like ${typedMoney(350)}.`,
		zero: `The lowest price is ${priceText(1)}. To charge nothing, stop charging below.`,
		too_large: `The highest price is ${priceText(MAX_PRICE_MICRO_USD)} a GB.`,
	},
	stop: 'Charge nothing',
	now: 'Price now',
	after: 'Price after it',
	repeated: 'It was done: the price is as you have set it, unless somebody has changed it since.',
	history: 'Changes of the price',
	since: 'Since',
	by: 'By',
	unknown: 'Not recorded',
});
