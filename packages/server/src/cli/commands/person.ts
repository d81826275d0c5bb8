import { ROLES, type Role } from '@bursar/contract/dashboard';
import { printTable, say } from '@bursar/terminal';
import { Argument, Command } from 'commander';
import type { ListedPerson } from '../../store/tables/people/lists.ts';
import { email } from '../email-argument.ts';
import { reset } from '../invitation.ts';
import { iso, printResult } from '../output.ts';
import { refusalError } from '../refusals.ts';
import { inSession } from '../session.ts';

interface Options {
	readonly json?: boolean;
}

/** `bursar person ...` */
export function personCommand(): Command {
	const person = new Command('person').description(
		'List, lock, reset and remove the people who sign in on the dashboard.',
	);
	person.addHelpText('after', '\nExample:\n  $ bursar person reset ann@acme.example\n');

	person
		.command('list')
		.description('list all people, their state and their sessions')
		.addHelpText('after', '\nExample:\n  $ bursar person list --json\n')
		.action((options: Options) => listPeople(options));

	person
		.command('lock')
		.description('end all sessions of a person, and refuse every sign-in')
		.argument('<email>', 'e-mail address of the person', email)
		.addHelpText('after', '\nExample:\n  $ bursar person lock ann@acme.example\n')
		.action((address: string, options: Options) => setLocked(address, true, options));

	person
		.command('unlock')
		.description('let a locked person sign in again')
		.argument('<email>', 'e-mail address of the person', email)
		.addHelpText('after', '\nExample:\n  $ bursar person unlock ann@acme.example\n')
		.action((address: string, options: Options) => setLocked(address, false, options));

	person
		.command('reset')
		.description('remove the password and all second factors, end all sessions, and print a new link, only this once')
		.argument('<email>', 'e-mail address of the person', email)
		.addHelpText(
			'after',
			`
For a person who has lost the password, the phone or the passkey. The link is good for 72 hours and for one use. A locked
person stays locked.

Example:
  $ bursar person reset ann@acme.example
`,
		)
		.action((address: string, options: Options) => reset(address, options));

	person
		.command('role')
		.description('give a person of a reseller another role, which counts at once')
		.argument('<email>', 'e-mail address of the person', email)
		.addArgument(new Argument('<role>', 'what the person may do').choices(ROLES))
		.addHelpText('after', '\nExample:\n  $ bursar person role ann@acme.example manager\n')
		.action((address: string, role: Role, options: Options) => setRole(address, role, options));

	person
		.command('remove')
		.description('remove a person for good, with all sessions and second factors')
		.argument('<email>', 'e-mail address of the person', email)
		.addHelpText(
			'after',
			`
What the person did stays recorded, with the e-mail address. The same address can be invited again, as a new person. The
last operator who can sign in cannot be removed.

Example:
  $ bursar person remove ann@acme.example
`,
		)
		.action((address: string, options: Options) => removePerson(address, options));

	person
		.command('end-sessions')
		.description('end the sessions of all people, and all links that were not used')
		.addHelpText(
			'after',
			`
Run it after a PostgreSQL store was restored, because sessions and links of that time would work again.

Example:
  $ bursar person end-sessions
`,
		)
		.action((options: Options) => endSessions(options));
	return person;
}

async function listPeople(options: Options): Promise<void> {
	const people = await inSession(async ({ store }) => {
		const all: ListedPerson[] = [];
		for (;;) {
			const page = await store.listPeople({ after: all.at(-1)?.email, limit: 1000 });
			if (page.length === 0) return all;
			all.push(...page);
		}
	});
	if (options.json) {
		const listed = people.map(({ email, reseller, role, state, secondFactor, sessions, lastSeenAtMs }) => ({
			email,
			reseller,
			role,
			state,
			second_factor: secondFactor,
			sessions,
			last_seen: iso(lastSeenAtMs),
		}));
		return printResult({ people: listed }, true);
	}
	printTable(
		[
			{ title: 'EMAIL' },
			{ title: 'RESELLER' },
			{ title: 'ROLE' },
			{ title: 'STATE' },
			{ title: 'SECOND FACTOR' },
			{ title: 'SESSIONS', isNumber: true },
			{ title: 'LAST SEEN' },
		],
		people.map(({ email, reseller, role, state, secondFactor, sessions, lastSeenAtMs }) => [
			email,
			reseller ?? '-',
			role ?? 'operator',
			state,
			secondFactor ? 'yes' : 'no',
			String(sessions),
			iso(lastSeenAtMs) ?? '-',
		]),
	);
}

async function setLocked(address: string, locked: boolean, { json }: Options): Promise<void> {
	const kind = locked ? 'lock_person' : 'unlock_person';
	const outcome = await inSession(({ bank }) => bank.changePerson({ kind, email: address }));
	if (!outcome.ok) throw refusalError(outcome);
	printResult({ email: address, locked }, json);
}

async function setRole(address: string, role: Role, { json }: Options): Promise<void> {
	const outcome = await inSession(({ bank }) => bank.changePerson({ kind: 'set_role', email: address, role }));
	if (!outcome.ok) throw refusalError(outcome);
	printResult({ email: address, role }, json);
}

async function removePerson(address: string, { json }: Options): Promise<void> {
	const outcome = await inSession(({ bank }) => bank.changePerson({ kind: 'remove_person', email: address }));
	if (!outcome.ok) throw refusalError(outcome);
	printResult({ email: address, removed: true }, json);
}

async function endSessions({ json }: Options): Promise<void> {
	const outcome = await inSession(({ bank }) => bank.changePerson({ kind: 'end_all_sessions' }));
	if (!outcome.ok) throw refusalError(outcome);
	printResult({ ended_sessions: outcome.sessions }, json);
	if (!json)
		say(
			'Links that were not used do not work any more: invite or reset these people again, and run bursar edge create again for proxy hosts that have not joined.',
		);
}
