import { printRecord, UsageError, usd } from '@bursar/terminal';
import type { Command } from 'commander';
import { usernameUnlessBulk } from '../arguments.ts';
import { runBulkCommand } from '../bulk/bulk-command.ts';
import { addBulkOptions, addSettingOptions, type BulkOptions } from '../bulk/bulk-options.ts';
import { deleteChange, limitsChange, resumeChange, suspendChange } from '../bulk/changes.ts';
import { ROW_FIELDS } from '../bulk/run/result-printer.ts';
import { askToDelete } from '../consent.ts';
import type { GlobalOptions } from '../global-options.ts';
import { addLimitOptions, type LimitOptions, limitsIn } from '../limit-arguments.ts';
import { printDone } from '../output/done.ts';
import { printJson, printsFields } from '../output/json.ts';
import {
	DELETION_FIELDS,
	DETAIL_FIELDS,
	deletionFields,
	detailFields,
	detailRecord,
	limitWords,
	NOTE_FIELDS,
	noteFields,
	SIGN_IN_FIELDS,
	STATE_FIELDS,
	signInFields,
	stateFields,
	WITH_LIMITS_FIELDS,
	withLimitsFields,
} from '../output/sub-user-terms.ts';
import { openSession } from '../session.ts';

type Options = GlobalOptions & BulkOptions;

/** `bursarctl sub-user details`, `suspend`, `resume`, `limits`, `note`, `sign-in-ips` and `delete` */
export function addTermsCommands(subUser: Command): void {
	const details = subUser
		.command('details')
		.description(
			'show state, limits and note of a sub-user, what of its limits is used, and whether the proxies accept it',
		)
		.argument('<username>')
		.addHelpText('after', '\nExample:\n  $ bursarctl sub-user details alice\n')
		.action((username: string, _options: unknown, command: Command) =>
			showDetails(username, command.optsWithGlobals()),
		);
	printsFields(details, DETAIL_FIELDS);

	const suspend = subUser
		.command('suspend')
		.description('refuse the pair of a sub-user; its balance stays')
		.argument('[username]')
		.addHelpText('after', '\nExample:\n  $ bursarctl sub-user suspend alice\n');
	addSettingOptions(printsFields(suspend, STATE_FIELDS, ROW_FIELDS)).action(
		(username: string | undefined, _options: unknown, command: Command) =>
			setState('suspend', username, command.optsWithGlobals()),
	);

	const resume = subUser
		.command('resume')
		.description('end the suspension of a sub-user')
		.argument('[username]')
		.addHelpText('after', '\nExample:\n  $ bursarctl sub-user resume alice\n');
	addSettingOptions(printsFields(resume, STATE_FIELDS, ROW_FIELDS)).action(
		(username: string | undefined, _options: unknown, command: Command) =>
			setState('resume', username, command.optsWithGlobals()),
	);

	const limits = subUser
		.command('limits')
		.description('set limits of a sub-user; those that are not given stay')
		.argument('[username]')
		.addHelpText('after', '\nExample:\n  $ bursarctl sub-user limits alice --day-bytes 2GB --expires-at none\n');
	printsFields(limits, WITH_LIMITS_FIELDS, ROW_FIELDS);
	addSettingOptions(addLimitOptions(limits)).action(
		(username: string | undefined, _options: unknown, command: Command) =>
			setLimits(username, command.optsWithGlobals()),
	);

	const note = subUser
		.command('note')
		.description('set the note of a sub-user, for people; an empty one removes it')
		.argument('<username>')
		.argument('<note>', 'one line of at most 200 characters')
		.addHelpText('after', "\nExample:\n  $ bursarctl sub-user note alice 'pays by invoice'\n")
		.action((username: string, text: string, _options: unknown, command: Command) =>
			setNote(username, text, command.optsWithGlobals()),
		);
	printsFields(note, NOTE_FIELDS);

	const signIn = subUser
		.command('sign-in-ips')
		.description('set from where a sub-user signs in without a password; without addresses, from nowhere')
		.argument('<username>')
		.argument('[address...]', 'up to 16 addresses, and networks /64 of IPv6')
		.addHelpText('after', '\nExample:\n  $ bursarctl sub-user sign-in-ips alice 192.0.2.7 2001:db8:0:7::/64\n')
		.action((username: string, addresses: readonly string[], _options: unknown, command: Command) =>
			setSignInIps(username, addresses, command.optsWithGlobals()),
		);
	printsFields(signIn, SIGN_IN_FIELDS);

	const remove = subUser
		.command('delete')
		.description('delete a sub-user for ever, and take the rest of its balance back')
		.argument('[username]')
		.addHelpText('after', '\nExample:\n  $ bursarctl sub-user delete alice\n');
	printsFields(remove, DELETION_FIELDS, ROW_FIELDS);
	addBulkOptions(remove, 'a username a line').action(
		(username: string | undefined, _options: unknown, command: Command) =>
			deleteSubUser(username, command.optsWithGlobals()),
	);
}

async function showDetails(username: string, options: GlobalOptions): Promise<void> {
	const { client, interrupts } = openSession(options);
	const details = await client.subUsers.retrieveDetails(username, { signal: interrupts.stop });
	if (options.json) printJson(detailFields(details), options.json);
	else printRecord(detailRecord(details));
}

async function setState(operation: 'suspend' | 'resume', given: string | undefined, options: Options): Promise<void> {
	const username = usernameUnlessBulk(given, options.all);
	if (username === undefined) return runBulkCommand(operation === 'suspend' ? suspendChange : resumeChange, options);
	const { client, interrupts } = openSession(options);
	const signal = interrupts.stop;
	interrupts.changeBegins();
	const set = await (operation === 'suspend'
		? client.subUsers.suspend(username, { signal })
		: client.subUsers.resume(username, { signal }));
	const record = { Username: set.username, State: set.state };
	await printDone(`${username} is ${set.state}`, { fields: stateFields(set), record }, options);
}

async function setLimits(given: string | undefined, options: Options & LimitOptions): Promise<void> {
	const limits = limitsIn(options);
	const username = usernameUnlessBulk(given, options.all);
	if (Object.keys(limits).length === 0) {
		throw new UsageError('give at least one limit. The details of a sub-user show those that it has');
	}
	if (username === undefined) return runBulkCommand(limitsChange(limits), options);
	const { client, interrupts } = openSession(options);
	interrupts.changeBegins();
	const set = await client.subUsers.setLimits(username, limits, { signal: interrupts.stop });
	const record = { Username: set.username, Limits: limitWords(set.limits) };
	await printDone(`the limits of ${username} were set`, { fields: withLimitsFields(set), record }, options);
}

async function setNote(username: string, note: string, options: GlobalOptions): Promise<void> {
	const { client, interrupts } = openSession(options);
	interrupts.changeBegins();
	const set = await client.subUsers.setNote(username, note, { signal: interrupts.stop });
	const record = { Username: set.username, Note: set.note };
	await printDone(`the note of ${username} was set`, { fields: noteFields(set), record }, options);
}

async function setSignInIps(username: string, addresses: readonly string[], options: GlobalOptions): Promise<void> {
	const { client, interrupts } = openSession(options);
	interrupts.changeBegins();
	const set = await client.subUsers.setSignInIps(username, addresses, { signal: interrupts.stop });
	const record = { Username: set.username, 'Signs in from': set.signInIps.join(', ') || 'nowhere' };
	await printDone(`the addresses of ${username} were set`, { fields: signInFields(set), record }, options);
}

async function deleteSubUser(given: string | undefined, options: Options): Promise<void> {
	const username = usernameUnlessBulk(given, options.all);
	if (username === undefined) return runBulkCommand(deleteChange, options);
	const { client, interrupts } = openSession(options);
	const question = `Delete ${username} for ever? The rest of its balance comes back to you. Its name is never given again.`;
	await askToDelete(question, options, interrupts.stop);
	interrupts.changeBegins();
	const deletion = await client.subUsers.delete(username, { signal: interrupts.stop });
	const record = { Deleted: deletion.username, 'Returned in USD': usd(deletion.returnedCents) };
	await printDone(`${username} was deleted`, { fields: deletionFields(deletion), record }, options);
}
