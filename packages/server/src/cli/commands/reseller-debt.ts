import { print, printTable, say, UsageError, usd } from '@bursar/terminal';
import { Command } from 'commander';
import { amount, username, words } from '../arguments.ts';
import { printResult } from '../output.ts';
import { movementFields } from '../recorded.ts';
import { refusalError } from '../refusals.ts';
import { inSession } from '../session.ts';

interface Options {
	readonly forgive?: number;
	readonly reason?: string;
	readonly json?: boolean;
}

const HELP = `
What no balance covered of bandwidth is owed by the reseller: a proxy host lets some bytes pass before it learns that a
balance is used up. Whatever the balance of the reseller gets pays the debt first. Beyond its line, the proxy hosts refuse
the reseller and all its sub-users while bandwidth has a price; bursar reseller price sets the line.

Examples:
  $ bursar reseller debt acme
  $ bursar reseller debt acme --forgive 1.20 --reason 'An edge was cut off from the service'
`;

/** How many of the newest debts are shown. */
const SHOWN = 20;

/** `bursar reseller debt NAME [--forgive USD --reason TEXT]` */
export function debtCommand(): Command {
	return new Command('debt')
		.description('show what a reseller owes for bandwidth, and whose it was; forgive some of it')
		.argument('<name>', 'username of the reseller', username)
		.option('--forgive <usd>', 'US dollars to take from the debt without a payment, like 1.20', amount)
		.option('--reason <text>', 'why, for people; needed to forgive; at most 200 characters', words)
		.addHelpText('after', HELP)
		.action((name: string, options: Options) => {
			const { forgive, reason } = options;
			if ((forgive === undefined) !== (reason === undefined)) {
				throw new UsageError('give --forgive and --reason together, or neither');
			}
			return forgive === undefined || reason === undefined
				? showDebt(name, options)
				: forgiveDebt(name, { amountCents: forgive, reason }, options);
		});
}

async function forgiveDebt(
	reseller: string,
	{ amountCents, reason }: { readonly amountCents: number; readonly reason: string },
	{ json }: Options,
): Promise<void> {
	const outcome = await inSession(({ bank, requestId }) =>
		bank.submit({ kind: 'forgive_debt', reseller, amountCents, reason, requestId }),
	);
	if (!outcome.ok) throw refusalError(outcome);
	const { username: name, debtCents } = outcome;
	printResult({ username: name, forgiven_cents: amountCents, debt_cents: debtCents }, json);
}

async function showDebt(reseller: string, { json }: Options): Promise<void> {
	const { debt, balance, rows } = await inSession(async ({ store }) => {
		const [found, account] = [await store.findDebt(reseller), await store.findAccount(reseller, reseller)];
		if (!found || !account) throw refusalError({ error: 'unknown_reseller' });
		const query = { reseller, kind: 'debt', before: Number.MAX_SAFE_INTEGER, limit: SHOWN };
		return { debt: found, balance: account.balanceCents, rows: (await store.listMovements(query)).rows };
	});
	const newest = rows.map((row) => movementFields(row));
	if (json) {
		const sums = { debt_cents: debt.cents, debt_line_cents: debt.lineCents, balance_cents: balance };
		const debts = newest.map(({ at, username: name, amount_cents: cents, request_id }) => {
			return { at, username: name, amount_cents: -cents, request_id };
		});
		return printResult({ username: reseller, ...sums, newest: debts }, true);
	}
	const sums = { debt: `${usd(debt.cents)} USD`, line: `${usd(debt.lineCents)} USD`, balance: `${usd(balance)} USD` };
	printResult({ username: reseller, ...sums }, false);
	if (debt.cents > debt.lineCents)
		say('The debt is beyond the line: while bandwidth has a price, all pairs are refused.');
	if (newest.length === 0) return;
	print(['']);
	printTable(
		[{ title: 'TIME' }, { title: 'BANDWIDTH OF' }, { title: 'USD', isNumber: true }, { title: 'REQUEST' }],
		newest.map((row) => [row.at, row.username ?? '-', usd(-row.amount_cents), row.request_id]),
	);
}
