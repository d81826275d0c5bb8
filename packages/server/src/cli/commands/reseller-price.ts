import { priceText, readPrice } from '@bursar/contract/price';
import { print, printTable, say, UsageError, usd } from '@bursar/terminal';
import { Command, InvalidArgumentError } from 'commander';
import type { StoredPrice } from '../../store/tables/meters/reads.ts';
import { amount, username } from '../arguments.ts';
import { iso, printResult } from '../output.ts';
import { doerFields, doerText } from '../recorded.ts';
import { refusalError } from '../refusals.ts';
import { inSession } from '../session.ts';

interface Options {
	readonly off?: boolean;
	readonly debtLine?: number;
	readonly json?: boolean;
}

const HELP = `
With a price, the balances of the reseller and of its sub-users pay for their bandwidth: each byte, up and down together,
from now on. An account with nothing left is refused by the proxy hosts. What was used before is not charged. With --off,
bandwidth costs nothing, and balances do not limit it; what was used until now is still charged.
Without a price, the command shows the present price, and the earlier ones.

Bandwidth that no balance covers is owed by the reseller. Beyond its line, which is 5.00 dollars at first, all its pairs are
refused: bursar reseller debt shows what is owed.

Set the first price when all processes of the service run this version: what an older one counts is never charged.

Examples:
  $ bursar reseller price acme 3.50
  $ bursar reseller price acme 3.50 --debt-line 20.00
  $ bursar reseller price acme --off
  $ bursar reseller price acme
`;

/** How many prices are shown. */
const SHOWN = 1_000;

/** `bursar reseller price NAME [USD] [--off]` */
export function priceCommand(): Command {
	return new Command('price')
		.description('set or show what a GB (10^9 bytes) of bandwidth costs')
		.argument('<name>', 'username of the reseller', username)
		.argument('[usd]', 'US dollars, up to six decimals', microUsd)
		.option('--off', 'bandwidth costs nothing from now on')
		.option('--debt-line <usd>', 'US dollars that the reseller may owe, like 5.00; otherwise it stays', amount)
		.addHelpText('after', HELP)
		.action((name: string, price: number | undefined, options: Options) => {
			if (price !== undefined && options.off) throw new UsageError('give a price or --off, not both');
			if (price === undefined && !options.off && options.debtLine !== undefined) {
				throw new UsageError('give a price or --off with --debt-line');
			}
			return price === undefined && !options.off ? showPrices(name, options) : setPrice(name, price ?? null, options);
		});
}

async function setPrice(reseller: string, microUsdPerGb: number | null, { debtLine, json }: Options): Promise<void> {
	const { isNew, before, lineCents } = await inSession(async ({ store, bank, requestId }) => {
		const outcome = await bank.submit({
			kind: 'set_price',
			reseller,
			microUsdPerGb,
			debtLineCents: debtLine,
			requestId,
		});
		if (!outcome.ok) throw refusalError(outcome);
		const { debtLineCents: lineCents } = outcome;
		if (outcome.price?.requestId !== requestId) return { isNew: false, before: microUsdPerGb, lineCents };
		const { number } = outcome.price;
		const earlier = (await store.listPrices(reseller, SHOWN)).find((each) => each.number === number - 1);
		return { isNew: true, before: earlier?.microUsdPerGb ?? null, lineCents };
	});
	if (json) {
		const prices = { micro_usd_per_gb: microUsdPerGb, previous_micro_usd_per_gb: before };
		return printResult({ username: reseller, ...prices, debt_line_cents: lineCents, changed: isNew }, true);
	}
	const prices = { price: priceWords(microUsdPerGb), previous_price: priceWords(before) };
	printResult({ username: reseller, ...prices, debt_line: `${usd(lineCents)} USD` }, false);
	say(isNew ? meaning(reseller, microUsdPerGb) : 'That is the price already: it has not changed.');
}

function meaning(reseller: string, microUsdPerGb: number | null): string {
	if (microUsdPerGb === null) {
		return `From now on, bandwidth of ${reseller} costs nothing, and balances do not limit it. What was used until now is still charged.`;
	}
	return `From now on, the balances of ${reseller} and its sub-users pay ${priceText(microUsdPerGb)} USD for each GB (10^9 bytes, up and down together). An account with nothing left is refused by the proxy hosts.`;
}

async function showPrices(reseller: string, { json }: Options): Promise<void> {
	const { prices, lineCents } = await inSession(async ({ store }) => {
		const debt = await store.findDebt(reseller);
		if (!debt) throw refusalError({ error: 'unknown_reseller' });
		return { prices: await store.listPrices(reseller, SHOWN), lineCents: debt.lineCents };
	});
	const history = prices.map(priceFields);
	const present = prices[0]?.microUsdPerGb ?? null;
	if (json) {
		const now = { micro_usd_per_gb: present, debt_line_cents: lineCents };
		return printResult({ username: reseller, ...now, history }, true);
	}
	printResult({ username: reseller, price: priceWords(present), debt_line: `${usd(lineCents)} USD` }, false);
	if (history.length === 0) return;
	print(['']);
	printTable(
		[{ title: 'SINCE' }, { title: 'PRICE' }, { title: 'BY' }, { title: 'REQUEST' }],
		history.map((row) => [row.at, priceWords(row.micro_usd_per_gb), doerText(row), row.request_id]),
	);
}

function priceFields(price: StoredPrice) {
	const { setAtMs, microUsdPerGb, requestId } = price;
	return {
		at: iso(setAtMs),
		micro_usd_per_gb: microUsdPerGb,
		...doerFields({ ...price, tokenTail: null }),
		request_id: requestId,
	};
}

/** A price as people read it. */
export function priceWords(microUsdPerGb: number | null): string {
	return microUsdPerGb === null ? 'off' : `${priceText(microUsdPerGb)} USD per GB`;
}

function microUsd(text: string): number {
	const price = readPrice(text);
	if (price === undefined)
		throw new InvalidArgumentError('It must be US dollars with at most six decimals, like 3.50.');
	return price;
}
