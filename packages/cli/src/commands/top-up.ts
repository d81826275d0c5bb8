import type { PaymentProvider, TopUp } from '@bursar/client';
import { PAYMENT_PROVIDERS } from '@bursar/contract/payments';
import { UsageError, usd } from '@bursar/terminal';
import { Command, Option } from 'commander';
import { amountArgument } from '../arguments.ts';
import type { GlobalOptions } from '../global-options.ts';
import { printDone } from '../output/done.ts';
import { printsFields } from '../output/json.ts';
import { type ListForm, printList } from '../output/list.ts';
import { BEGUN_TOP_UP_FIELDS, begunTopUpFields, TOP_UP_FIELDS, topUpFields } from '../output/top-ups.ts';
import { openSession } from '../session.ts';

interface CreateOptions extends GlobalOptions {
	readonly provider: PaymentProvider;
}

interface ListOptions extends GlobalOptions {
	readonly waiting?: boolean;
	readonly csv?: boolean;
}

const CREATE_HELP = `
Open the address that it prints in a browser, and pay there. Your balance has the money once the provider vouches for it:
top-up list tells. If the provider cannot be reached now, there is no address yet: list it again a little later.

Example:
  $ bursarctl top-up create 50.00 --provider stripe
`;

const LIST_HELP = `
CREDITED is what your balance has of a payment: what arrived, less what was refunded or is disputed.

Example:
  $ bursarctl top-up list --waiting
`;

/** `bursarctl top-up` */
export function topUpCommand(): Command {
	const topUp = new Command('top-up')
		.description('pay into your own balance through a payment provider')
		.addHelpText('after', '\nExample:\n  $ bursarctl top-up create 50.00 --provider stripe\n');

	const create = topUp
		.command('create')
		.description('begin a payment, and print where it can be paid')
		.argument('<usd>', 'US dollars with two decimals, within the bounds of the operator', amountArgument)
		.addOption(new Option('--provider <name>', 'where it is paid').choices(PAYMENT_PROVIDERS).makeOptionMandatory())
		.addHelpText('after', CREATE_HELP)
		.action((amountCents: number, _options: unknown, command: Command) =>
			createTopUp(amountCents, command.optsWithGlobals()),
		);
	printsFields(create, BEGUN_TOP_UP_FIELDS);

	const list = topUp
		.command('list')
		.description('list your payments, the newest first')
		.option('--waiting', 'only those that still wait for money')
		.option('--csv', 'print CSV')
		.addHelpText('after', LIST_HELP)
		.action((_options: unknown, command: Command) => listTopUps(command.optsWithGlobals()));
	printsFields(list, TOP_UP_FIELDS);
	return topUp;
}

async function createTopUp(amountCents: number, options: CreateOptions): Promise<void> {
	const { client, interrupts } = openSession(options);
	interrupts.changeBegins();
	const begun = await client.topUps.create({ provider: options.provider, amountCents }, { signal: interrupts.stop });
	const { id, state, url, expiresAt } = begun.topUp;
	const record = {
		...{ Payment: id, State: state, USD: usd(amountCents), 'Pay at': url ?? 'no address yet' },
		...(expiresAt && { Until: expiresAt.toISOString() }),
	};
	await printDone(`the payment ${id} was begun`, { fields: begunTopUpFields(begun), record }, options);
}

async function listTopUps(options: ListOptions): Promise<void> {
	const { waiting, csv, json } = options;
	if (csv && json) throw new UsageError('give one of --csv and --json');
	const { client, interrupts } = openSession(options);
	const wanted = { ...(waiting && { only: 'waiting' as const }), signal: interrupts.stop };
	await printList(client.topUps.list(wanted), TOP_UP_FORM, options);
}

const TOP_UP_FORM: ListForm<TopUp, ReturnType<typeof topUpFields>> = {
	fieldsOf: topUpFields,
	csv: TOP_UP_FIELDS,
	table: [
		...[{ title: 'WHEN' }, { title: 'PAYMENT' }, { title: 'PROVIDER' }, { title: 'STATE' }],
		...[{ title: 'USD', isNumber: true }, { title: 'CREDITED', isNumber: true }, { title: 'PAY AT' }],
	],
	cells: (row) => [
		...[row.timestamp, row.id, row.provider, row.state, usd(row.amount_usd_cents), usd(row.credited_usd_cents)],
		row.url ?? '',
	],
};
