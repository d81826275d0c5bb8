import type { PricePerGb } from '@bursar/contract/dashboard';
import { MAX_PRICE_MICRO_USD } from '@bursar/contract/limits';
import { priceText, typedMoney } from '../../format/money.ts';
import { textsWith } from '../../preferences/catalogue.ts';

const VALUES = { example: typedMoney(350), lowest: priceText(1), highest: priceText(MAX_PRICE_MICRO_USD) };

export const priceTexts = textsWith('priceTexts', VALUES, {
	title: 'Price of a GB',
	metered:
		'The balances of this reseller and of its sub-users pay for bandwidth at this price, up and down together. The proxies refuse an account that has nothing left.',
	notMetered: 'Bandwidth costs nothing. Balances are what is given and taken: they do not limit traffic.',
	set: 'Set the price',
	/** `none`: no price was typed yet. */
	setNow: { none: 'Set', stop: 'Stop charging', price: 'Set {price}' },
	ofGb: '{price} a GB',
	costsNothing: 'Not metered',
	dialogTitle: 'Price of a GB for {reseller}',
	intro:
		'What is counted from now on is charged at this price. What was counted before stays as it was charged. 1 GB is 10⁹ bytes, up and down together.',
	cutOff:
		'From now on balances pay for bandwidth: accounts that have no balance are refused by the proxies within seconds.',
	stopped: 'From now on bandwidth costs nothing, and balances do not limit it.',
	price: 'US dollars a GB',
	hint: 'Like {example}, with at most six decimals.',
	problems: {
		unreadable: 'Enter dollars with at most six decimals, like {example}.',
		zero: 'The lowest price is {lowest}. To charge nothing, stop charging below.',
		too_large: 'The highest price is {highest} a GB.',
	},
	stop: 'Charge nothing',
	now: 'Price now',
	after: 'Price after it',
	repeated: 'It was done: the price is as you have set it, unless another person has changed it since.',
	history: 'Changes of the price',
	since: 'Since',
	by: 'By',
	unknown: 'Not recorded',
});

/** Like `$3.50 a GB`. */
export function priceOfGbText(price: PricePerGb): string {
	return price === null ? priceTexts.costsNothing : priceTexts.ofGb(priceText(price));
}

/** The text of the button that sets a price. `undefined`: none was typed yet. */
export function setPriceText(price: PricePerGb | undefined): string {
	const { setNow } = priceTexts;
	if (price === undefined) return setNow.none;
	return price === null ? setNow.stop : setNow.price(priceOfGbText(price));
}
