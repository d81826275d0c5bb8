import type { LinkMailing } from '@bursar/contract/dashboard';
import { say } from '@bursar/terminal';
import type { MakeClaim } from '../commands/people/claim.ts';
import type { InvitePerson } from '../commands/people/invite.ts';
import type { GivenLink } from '../commands/people/links.ts';
import type { ResetPerson } from '../commands/people/reset.ts';
import type { PersonOutcomeOf } from '../commands/registry.ts';
import { publicUrlOf } from '../config.ts';
import { linkUrl, newId, newLink } from '../credentials.ts';
import { iso, resultLines } from './output.ts';
import { refusalError, type WithoutCaller } from './refusals.ts';
import { inSession, type Session } from './session.ts';
import { assertOutputOpen, printOnce } from './shown-once.ts';

interface Options {
	readonly json?: boolean;
}

/** Invites a person to a reseller, or an operator if `reseller` is `null`, and prints the link. */
export async function invite(
	{ reseller, role }: Pick<InvitePerson, 'reseller' | 'role'>,
	email: string,
	options: Options,
): Promise<void> {
	assertOutputOpen('link');
	const again = reseller === null ? 'operator invite' : `reseller invite ${reseller} --role ${role}`;
	await printLink(
		(session, made) =>
			session.bank.changePerson({
				kind: 'invite_person',
				...made,
				...{ email, reseller, role },
				purpose: 'set_password',
			}),
		{ done: `${email} was invited`, remedy: `: bursar ${again} --email ${email}`, fields: { email, reseller, role } },
		options,
		// Operators may be invited before there is a reseller.
		{ mayCreate: reseller === null },
	);
}

/** Makes and prints the link with which the first operator claims the service. */
export async function makeClaim(options: Options): Promise<void> {
	assertOutputOpen('link');
	await printLink(
		(session, { id, linkHash }) => session.bank.changePerson({ kind: 'make_claim', id, linkHash }),
		{ done: 'a link for the first operator was made', remedy: ': bursar operator claim', fields: {} },
		options,
		{ mayCreate: true, hours: 24 },
	);
}

/** Removes the person's password and second factors, ends all sessions, and prints a new link. */
export async function reset(email: string, options: Options): Promise<void> {
	await printLink(
		(session, { id: _, ...link }) => session.bank.changePerson({ kind: 'reset_person', email, ...link }),
		{
			done: `the password and the second factors of ${email} were removed, and all sessions ended`,
			remedy: `: bursar person reset ${email}`,
			fields: { email },
		},
		options,
	);
}

const MAILING: Readonly<Record<LinkMailing, string>> = {
	mailed: 'It is also mailed to this person.',
	not_set_up: 'Mail is not set up: send it over a channel that only this person reads.',
	locked: 'It is not mailed, because the person is locked.',
	too_many: 'It is not mailed, because too many links were.',
};

interface LinkMaking extends Required<GivenLink> {
	readonly id: string;
}

async function printLink(
	submit: (
		session: Session,
		made: LinkMaking,
	) => Promise<PersonOutcomeOf<WithoutCaller<InvitePerson | MakeClaim | ResetPerson>>>,
	{ fields, ...unseen }: { done: string; remedy: string; fields: Readonly<Record<string, unknown>> },
	{ json }: Options,
	{ mayCreate = false, hours = 72 } = {},
): Promise<void> {
	const { secret, ...link } = newLink();
	const { outcome, config, publicUrl } = await inSession(
		async (session) => ({
			// The environment of this command need not name the port on which the service listens. Read first: a link that
			// was made must be shown.
			publicUrl: session.config.publicUrl ?? (await session.store.readState()).publicUrl,
			outcome: await submit(session, { id: newId(), ...link }),
			config: session.config,
		}),
		{ mayCreate },
	);
	if (!outcome.ok) throw refusalError(outcome);
	const result = {
		...fields,
		link: linkUrl(publicUrl ?? publicUrlOf(config, config.port), secret),
		link_expires: iso(outcome.expiresAtMs),
		...('mailing' in outcome && json && { mailed: outcome.mailing === 'mailed' }),
	};
	const shown = json ? result : Object.fromEntries(Object.entries(result).filter(([, value]) => value !== null));
	await printOnce(resultLines(shown, json), { ...unseen, shown: 'link', fields });
	if (json) return;
	say(`The link is shown only this once. It is good for ${hours} hours, and for one use.`);
	if ('mailing' in outcome) say(MAILING[outcome.mailing]);
	if (!config.dashboard) say('The dashboard is off (BURSAR_DASHBOARD=0): the link works once it is on.');
}
