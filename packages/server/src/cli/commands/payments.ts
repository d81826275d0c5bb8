import { PROVIDER_TITLES } from '@bursar/contract/payments';
import { CommandError, page, printTable, say, UsageError, usd } from '@bursar/terminal';
import { Command } from 'commander';
import type { Payment } from '../../domain/payments/payment.ts';
import type { EndedRead } from '../../payments/read-payment.ts';
import { username, words } from '../arguments.ts';
import { iso, printResult } from '../output.ts';
import { refusalError } from '../refusals.ts';
import { inSession, type Session } from '../session.ts';

interface ListOptions {
	readonly reseller?: string;
	readonly waiting?: boolean;
	readonly findings?: boolean;
	readonly json?: boolean;
}

interface ReadOptions {
	readonly json?: boolean;
}

/** @bound Payments of one `bursar payments list`: the newest are shown. */
const SHOWN = 1_000;

const PAGE = page('docs/operating/payments.md', 'Findings');

const LIST_HELP = `
BOOKED is what the balance has of a payment: what arrived, less what was refunded or is disputed. What does not fit stands in
FINDINGS. What each means, and what to do: ${PAGE}

Example:
  $ bursar payments list --findings
`;

const READ_HELP = `
The service reads each payment by itself. This asks the provider here and now, with the settings of the service, and books what is
not booked yet. It works beside a service that runs, and is recorded.
What its findings mean, and what to do: ${PAGE}

Example:
  $ bursar payments read pay_4fQ9sLw2ZbT7xKc1Vn4xT8
`;

/** `bursar payments ...` */
export function paymentsCommand(): Command {
	const payments = new Command('payments').description('List payments through payment providers, or read one again.');
	payments.addHelpText('after', '\nExample:\n  $ bursar payments list --findings\n');
	payments
		.command('list')
		.description('list payments, the newest first')
		.option('--reseller <name>', 'only those of this reseller', username)
		.option('--waiting', 'only those that still wait for money')
		.option('--findings', 'only those that do not fit')
		.addHelpText('after', LIST_HELP)
		.action((options: ListOptions) => listPayments(options));
	payments
		.command('read')
		.description('read a payment at its provider now, and book what is not booked yet')
		.argument('<id>', 'as payments list shows it', words)
		.addHelpText('after', READ_HELP)
		.action((id: string, options: ReadOptions) => readNow(id, options));
	return payments;
}

async function listPayments({ reseller, waiting, findings, json }: ListOptions): Promise<void> {
	if (waiting && findings) throw new UsageError('give one of --waiting and --findings');
	const only = waiting ? 'waiting' : findings ? 'findings' : undefined;
	const found = await inSession(async ({ store }) => {
		if (reseller !== undefined && !(await store.findAccount(reseller, reseller))) {
			throw refusalError({ error: 'unknown_reseller' });
		}
		return store.listPayments({ reseller, only, limit: SHOWN + 1 });
	});
	const rows = found.slice(0, SHOWN).map(paymentFields);
	const more = found.length > SHOWN;
	if (json) return printResult({ payments: rows, more }, true);
	printTable(
		[
			...[{ title: 'TIME' }, { title: 'PAYMENT' }, { title: 'RESELLER' }, { title: 'PROVIDER' }, { title: 'STATE' }],
			...[{ title: 'USD', isNumber: true }, { title: 'BOOKED', isNumber: true }, { title: 'FINDINGS' }],
		],
		rows.map((row) => [
			...[row.at, row.id, row.reseller, row.provider, row.state, usd(row.amount_cents), usd(row.booked_cents)],
			findingsText(row),
		]),
	);
	if (more) say(`There are more: these are the newest ${SHOWN}.`);
}

async function readNow(id: string, { json }: ReadOptions): Promise<void> {
	const { payment, bookedCents } = await inSession((session) => readAndBook(session, id));
	const fields = { ...paymentFields(payment), booked_now_cents: bookedCents };
	if (json) return printResult(fields, true);
	const known = Object.entries(fields).filter(([, value]) => value !== null);
	printResult({ ...Object.fromEntries(known), findings: findingsText(fields) }, false);
}

/** Asks the provider of a payment, and books what is not booked yet. */
async function readAndBook({ config, store, bank, requestId }: Session, id: string) {
	const stored = await store.findPayment(id);
	if (!stored) throw refusalError({ error: 'unknown_payment' });
	const provider = await providerOf(config, stored);
	const { reseller } = stored;
	const begun = await bank.submit({
		...{ kind: 'begin_payment_read', reseller, payment: id, evenIfNotDue: true, requestId },
	});
	if (!begun.ok) throw refusalError(begun);
	const { readPayment } = await import('../../payments/read-payment.ts');
	let read: EndedRead | undefined;
	const outcome = await readPayment(
		{ bank, provider, stopping: new AbortController().signal, ended: (ended) => (read = ended) },
		begun.payment,
	);
	if (!outcome.ok) throw refusalError(outcome);
	if (read?.end.kind !== 'failed') return outcome;
	const why = (read.cause as Error).message;
	throw new CommandError('provider_failed', `${PROVIDER_TITLES[stored.provider]} could not be asked: ${why}`);
}

/** The provider of a payment, if it can be asked about it: payments of one mode are not known in the other. */
async function providerOf(config: Session['config'], { provider: name, isLive }: Payment) {
	const { createProviders } = await import('../../payments/providers/providers.ts');
	const provider = (await createProviders(config)).get(name);
	const title = PROVIDER_TITLES[name];
	if (!provider) throw new CommandError('provider_off', `the settings have switched ${title} off`);
	if (provider.isLive === isLive) return provider;
	const kinds = isLive ? ['moves real money', 'for tests'] : ['is a test', 'for real money'];
	throw new CommandError('other_mode', `that payment ${kinds[0]}, and the settings have a key of ${title} ${kinds[1]}`);
}

/** A payment as results have it. */
function paymentFields(payment: Payment) {
	const { id, reseller, provider, isLive, state, findings, objectId, changeId, failedReads } = payment;
	return {
		...{ id, reseller, provider, is_test: !isLive, state },
		...{ amount_cents: payment.amountCents, settled_cents: payment.settledCents },
		...{ refunded_cents: payment.refundedCents, disputed_cents: payment.disputedCents },
		...{ booked_cents: payment.bookedCents, findings, object_id: objectId, change_id: changeId },
		...{ at: iso(payment.createdAtMs), expires_at: iso(payment.expiresAtMs) },
		...{ read_at: iso(payment.readAtMs), failed_reads: failedReads, next_read_at: iso(payment.nextReadAtMs) },
	};
}

function findingsText({ findings }: Pick<ReturnType<typeof paymentFields>, 'findings'>): string {
	return findings.join(', ') || '-';
}
