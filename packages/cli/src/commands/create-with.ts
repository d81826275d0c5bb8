import { CREATE_FEE_CENTS } from '@bursar/client';
import { usd } from '@bursar/terminal';
import type { Command } from 'commander';
import { amountArgument, newUsername, referenceArgument } from '../arguments.ts';
import { askToSpend } from '../consent.ts';
import type { GlobalOptions } from '../global-options.ts';
import { addLimitOptions, type LimitOptions, limitsIn } from '../limit-arguments.ts';
import { printDone } from '../output/done.ts';
import { printsFields } from '../output/json.ts';
import { CREATION_WITH_FIELDS, creationWithFields, limitWords } from '../output/sub-user-terms.ts';
import { feeWords } from '../output/units.ts';
import { openSession } from '../session.ts';

interface Options extends GlobalOptions, LimitOptions {
	/** USD cents. */
	readonly balance?: number;
	readonly reference?: string;
	readonly note?: string;
}

/** `bursarctl sub-user create-with` */
export function addCreateWithCommand(subUser: Command): void {
	const create = subUser
		.command('create-with')
		.description(`create a sub-user with balance, limits and note, all or nothing, for ${usd(CREATE_FEE_CENTS)} USD`)
		.argument('<username>')
		.option('--balance <usd>', 'what it is given of your balance, in US dollars', amountArgument)
		.option('--reference <text>', 'what the balance is for, like an order; the statement finds it', referenceArgument)
		.option('--note <text>', 'one line of at most 200 characters, for people')
		.addHelpText(
			'after',
			'\nExample:\n  $ bursarctl sub-user create-with alice --balance 25.00 --total-bytes 10GB --note "order 1042"\n',
		);
	addLimitOptions(printsFields(create, CREATION_WITH_FIELDS)).action(
		(username: string, _options: unknown, command: Command) => createWith(username, command.optsWithGlobals()),
	);
}

async function createWith(given: string, options: Options): Promise<void> {
	const username = newUsername(given);
	const { balance: amountCents, note, reference } = options;
	const { client, interrupts } = openSession(options);
	const gift = amountCents === undefined ? '' : `, and give it ${usd(amountCents)} USD of your balance`;
	await askToSpend(`Create ${username} for ${usd(CREATE_FEE_CENTS)} USD${gift}?`, options, interrupts.stop);
	interrupts.changeBegins();
	const terms = { amountCents, limits: limitsIn(options), note };
	const creation = await client.subUsers.createWith(username, terms, {
		signal: interrupts.stop,
		...(reference !== undefined && { reference }),
	});
	const { subUser, limits } = creation;
	const record = {
		Username: subUser.username,
		'Balance in USD': usd(subUser.balanceCents),
		'Proxy auth key': subUser.proxyAuthkey,
		Created: subUser.dateCreated.toISOString(),
		Limits: limitWords(limits),
		...(creation.note !== '' && { Note: creation.note }),
		'Fee paid': feeWords(creation.fee),
	};
	await printDone(`${username} was created`, { fields: creationWithFields(creation), record }, options);
}
