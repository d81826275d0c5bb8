import type { PricePerGb } from '@bursar/contract/dashboard';
import { priceText } from '../../format/money.ts';

export const priceTexts = {
	title: 'Price of a GB',
	metered:
		'The balances of this reseller and of its sub-users pay for bandwidth at this price, up and down together. Whoever has nothing left is refused by the proxies.',
	notMetered: 'Bandwidth costs nothing. Balances are what is given and taken: they do not limit traffic.',
	set: 'Set the price',
	/** `undefined`: no price was typed yet. */
	setNow(price: PricePerGb | undefined): string {
		if (price === undefined) return 'Set';
		return price === null ? 'Stop charging' : `Set ${ofGb(price)}`;
	},
	dialogTitle: (reseller: string) => `Price of a GB for ${reseller}`,
	intro:
		'What is counted from now on is charged at this price. What was counted before stays as it was charged. 1 GB is 10⁹ bytes, up and down together.',
	cutOff:
		'From now on balances pay for bandwidth: accounts that have no balance are refused by the proxies within seconds.',
	stopped: 'From now on bandwidth costs nothing, and balances do not limit it.',
	price: 'US dollars a GB',
	hint: 'Like 3.50, with at most six decimals.',
	problems: {
		unreadable: 'Enter dollars with a point and at most six decimals, like 3.50.',
		zero: 'The lowest price is $0.000001. To charge nothing, stop charging below.',
		too_large: 'The highest price is $1,000 a GB.',
	},
	stop: 'Charge nothing',
	now: 'Price now',
	after: 'Price after it',
	repeated: 'It was done: the price is as you have set it, unless somebody has changed it since.',
	history: 'Changes of the price',
	since: 'Since',
	by: 'By',
	unknown: 'Not recorded',
} as const;

/** A price, or that there is none. */
export function ofGb(price: PricePerGb): string {
	return price === null ? 'Not metered' : `${priceText(price)} a GB`;
}
