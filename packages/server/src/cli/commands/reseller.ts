import { ROLES, type Role } from '@bursar/contract/dashboard';
import { MAX_CENTS } from '@bursar/contract/limits';
import { printTable, say, usd } from '@bursar/terminal';
import { Command, Option } from 'commander';
import type { OutcomeOf, WithoutAct } from '../../commands/registry.ts';
import type { TokenMaking } from '../../commands/tokens/new-token.ts';
import type { RevokeToken, RotateToken } from '../../commands/tokens/rotate-revoke.ts';
import { newProxyAuthkey, newToken } from '../../credentials.ts';
import type { Account } from '../../domain/account.ts';
import { MADE_BY_OPERATOR, MAX_TOKEN_OVERLAP_MS } from '../../domain/token.ts';
import type { ListedResellerRow } from '../../store/tables/accounts/resellers.ts';
import { amount, integer, signedAmount, username, words } from '../arguments.ts';
import { newEmail } from '../email-argument.ts';
import { invite } from '../invitation.ts';
import { iso, printResult, resultLines } from '../output.ts';
import { refusalError } from '../refusals.ts';
import { inSession, type Session } from '../session.ts';
import { assertOutputOpen, printOnce, revoking } from '../shown-once.ts';
import { debtCommand } from './reseller-debt.ts';
import { priceCommand, priceWords } from './reseller-price.ts';
import { signInByAddressCommand } from './reseller-sign-in.ts';
import { resumeCommand, suspendCommand } from './reseller-suspension.ts';

interface Options {
	readonly json?: boolean;
}

/** Both in USD cents. */
interface Opening extends Options {
	readonly balance?: number;
	readonly balanceCents?: number;
}

interface Payment extends Options {
	readonly reference: string;
	readonly reason?: string;
}

/** `bursar reseller ...` */
export function resellerCommand(): Command {
	const reseller = new Command('reseller').description(
		'Create resellers, top them up, set their prices, suspend them, replace their tokens, and invite their people.',
	);
	reseller.addHelpText('after', '\nExample:\n  $ bursar reseller create acme --balance 50.00\n');

	reseller
		.command('create')
		.description('create a reseller and print its token, only this once')
		.argument('<name>', 'username of the reseller', username)
		.option('--balance <usd>', 'opening balance in US dollars with two decimals', amount)
		// Scripts have it from before `--balance`. Its name says its unit.
		.addOption(new Option('--balance-cents <cents>').argParser(cents).conflicts('balance').hideHelp())
		.addHelpText('after', '\nExample:\n  $ bursar reseller create acme --balance 50.00\n')
		.action((name: string, options: Opening) => createReseller(name, options));

	reseller
		.command('list')
		.description('list all resellers, their balances, debts and prices, and whether they are suspended')
		.addHelpText('after', '\nExample:\n  $ bursar reseller list --json\n')
		.action((options: Options) => listResellers(options));

	reseller
		.command('credit')
		.description('add a payment to a balance; a negative amount takes money back')
		.argument('<name>', 'username of the reseller', username)
		.argument('<usd>', 'US dollars with two decimals', signedAmount)
		.requiredOption(
			'--reference <text>',
			'your own name for this payment; a repeat with the same name is not credited again',
			words,
		)
		.option(
			'--reason <text>',
			'why, for the people of the reseller; at most 200 characters; needed to take money back',
			words,
		)
		.addHelpText(
			'after',
			`
Two references that look alike must not be two payments. So all characters must be visible, with single spaces between
words. If a character has several forms, like "①" and "1", only the plain form is accepted.

Example:
  $ bursar reseller credit acme 50.00 --reference invoice-2026-117 --reason 'Thank you for November'
`,
		)
		.action((name: string, amountCents: number, options: Payment) => creditReseller(name, amountCents, options));

	reseller.addCommand(priceCommand());
	reseller.addCommand(debtCommand());
	reseller.addCommand(suspendCommand());
	reseller.addCommand(resumeCommand());
	reseller.addCommand(signInByAddressCommand());

	reseller
		.command('rotate-token')
		.description('print a new token, only this once; the previous one stays valid during the overlap')
		.argument('<name>', 'username of the reseller', username)
		.option('--overlap-seconds <seconds>', 'how long the previous token stays valid, 0 to 240', overlapSeconds)
		.addHelpText('after', '\nExample:\n  $ bursar reseller rotate-token acme --overlap-seconds 120\n')
		.action((name: string, options: Options & { overlapSeconds?: number }) => rotateToken(name, options));

	reseller
		.command('revoke-token')
		.description('end every token of the reseller now, and print a new one, only this once')
		.argument('<name>', 'username of the reseller', username)
		.addHelpText('after', '\nExample:\n  $ bursar reseller revoke-token acme\n')
		.action((name: string, options: Options) => revokeToken(name, options));

	reseller
		.command('invite')
		.description('invite a person of the reseller to the dashboard, and print the link, only this once')
		.argument('<name>', 'username of the reseller', username)
		.requiredOption('--email <email>', 'the e-mail address that the person will sign in with', newEmail)
		.addOption(new Option('--role <role>', 'what the person may do').choices(ROLES).default('owner'))
		.addHelpText(
			'after',
			`
An owner may do everything, a manager everything but people, tokens and webhooks, and a viewer only reads.
The link is good for 72 hours and for one use. A repeat makes a new link, as long as the previous one was not used.

Example:
  $ bursar reseller invite acme --email ann@acme.example
`,
		)
		.action((name: string, options: Options & { email: string; role: Role }) =>
			invite({ reseller: name, role: options.role }, options.email, options),
		);
	return reseller;
}

async function createReseller(reseller: string, options: Opening): Promise<void> {
	assertOutputOpen('token');
	const { token, ...kept } = newToken();
	const outcome = await inSession(
		({ bank, requestId }) =>
			bank.submit({
				kind: 'create_reseller',
				reseller,
				requestId,
				...kept,
				madeBy: MADE_BY_OPERATOR,
				proxyAuthkey: newProxyAuthkey(),
				openingBalanceCents: options.balance ?? options.balanceCents ?? 0,
			}),
		{ mayCreate: true },
	);
	if (!outcome.ok) throw refusalError(outcome);
	const account = accountFields(outcome.account);
	await printToken({ ...account, token }, options, `the reseller ${reseller} was created`);
}

async function listResellers(options: Options): Promise<void> {
	const resellers = await inSession(async ({ store }) => {
		const all: ListedResellerRow[] = [];
		for (;;) {
			const last = all.at(-1);
			const after = last && { username: last.username, value: 0 };
			const page = await store.listResellersBy({ search: '', by: 'name', descends: false, after, limit: 1000 });
			if (page.length === 0) return all;
			all.push(...page);
		}
	});
	const rows = resellers.map(({ username, balanceCents, debtCents, microUsdPerGb, suspendedAtMs, ...row }) => ({
		username,
		balance_cents: balanceCents,
		debt_cents: debtCents,
		micro_usd_per_gb: microUsdPerGb,
		date_suspended: iso(suspendedAtMs),
		sign_in_by_address: row.isSignInAllowed === 1,
		date_created: iso(row.createdAtMs),
	}));
	if (options.json) return printResult({ resellers: rows }, true);
	printTable(
		[
			{ title: 'USERNAME' },
			{ title: 'BALANCE' },
			{ title: 'DEBT' },
			{ title: 'PRICE' },
			{ title: 'STATE' },
			{ title: 'CREATED' },
		],
		rows.map(({ username, balance_cents, debt_cents, micro_usd_per_gb, date_suspended, date_created }) => [
			username,
			`${usd(balance_cents)} USD`,
			debt_cents === 0 ? '-' : `${usd(debt_cents)} USD`,
			priceWords(micro_usd_per_gb),
			date_suspended === null ? 'active' : 'suspended',
			date_created,
		]),
	);
}

async function creditReseller(reseller: string, amountCents: number, options: Payment) {
	const { reference, reason } = options;
	const outcome = await inSession(({ bank, requestId }) =>
		bank.submit({ kind: 'credit_reseller', reseller, amountCents, reference, reason, requestId }),
	);
	if (!outcome.ok) throw refusalError(outcome);
	const { username, balanceCents, repeated } = outcome;
	const amounts = { amount_cents: amountCents, balance_cents: balanceCents };
	printResult({ username, ...amounts, reference, repeated }, options.json);
	if (repeated && !options.json) say('That reference was credited before: this is the first result.');
}

async function rotateToken(reseller: string, options: Options & { overlapSeconds?: number }): Promise<void> {
	assertOutputOpen('token');
	const done = (end: string) => `the token of ${reseller} was rotated, and the previous one works until ${end}`;
	await replaceToken(reseller, options, done, (session, made) =>
		session.bank.submit({
			kind: 'rotate_token',
			reseller,
			requestId: session.requestId,
			...made,
			overlapMs: options.overlapSeconds === undefined ? session.config.tokenOverlapMs : options.overlapSeconds * 1000,
		}),
	);
}

async function revokeToken(reseller: string, options: Options): Promise<void> {
	const done = () => `all tokens of ${reseller} were ended`;
	await replaceToken(reseller, options, done, (session, made) =>
		session.bank.submit({ kind: 'revoke_token', reseller, requestId: session.requestId, ...made }),
	);
}

async function replaceToken(
	username: string,
	options: Options,
	done: (previousExpires: string) => string,
	submit: (session: Session, made: TokenMaking) => Promise<OutcomeOf<WithoutAct<RotateToken | RevokeToken>>>,
): Promise<void> {
	const { token, ...kept } = newToken();
	const outcome = await inSession((session) => submit(session, { ...kept, madeBy: MADE_BY_OPERATOR }));
	if (!outcome.ok) throw refusalError(outcome);
	const previousExpires = iso(outcome.previousExpiresAtMs);
	const result = { username, token, previous_token_expires: previousExpires };
	await printToken(result, options, done(previousExpires));
}

interface NewToken extends Readonly<Record<string, unknown>> {
	readonly username: string;
	readonly token: string;
	readonly proxy_authkey?: string;
}

/** Prints the token. `done` is for the error message if that fails. */
async function printToken(result: NewToken, { json }: Options, done: string): Promise<void> {
	const { token, proxy_authkey, ...fields } = result;
	await printOnce(resultLines(result, json), { shown: 'token', done, remedy: revoking(result.username), fields });
	if (!json) say('The token is shown only this once: the store keeps only its hash.');
}

function accountFields(account: Account) {
	return {
		username: account.username,
		balance_cents: account.balanceCents,
		proxy_authkey: account.proxyAuthkey,
		date_created: iso(account.createdAtMs),
	};
}

function cents(text: string): number {
	return integer(text, /^\d{1,16}$/, MAX_CENTS);
}

function overlapSeconds(text: string): number {
	return integer(text, /^\d{1,16}$/, MAX_TOKEN_OVERLAP_MS / 1000);
}
