import type { LinkMailing } from '@bursar/contract/dashboard';
import { INVITATION_LIFE_MS, type Invitation, type Person, type PersonRecord } from '../../domain/people/person.ts';
import type { PersonEffect } from '../../domain/people/person-effect.ts';
import type { PersonFacts, PersonNeeds } from '../../domain/people/person-facts.ts';
import { decideTry } from '../../domain/people/tries.ts';

/** The link of a command. */
export interface GivenLink {
	readonly linkHash: string;
	/** To mail it. Absent for one that is never mailed. */
	readonly linkSecret?: string | undefined;
}

/** A new link for a person. */
export interface Linked {
	readonly ok: true;
	readonly email: string;
	/** When the new link ends, in Unix milliseconds. */
	readonly expiresAtMs: number;
	/** Whether it is mailed too, or why not. */
	readonly mailing: LinkMailing;
}

/**
 * How many links a reseller's people may have mailed: who invites decides to whom.
 * @bound Links that are mailed for the people of one reseller, when they invite: further links are not mailed.
 */
const MAILED_LINKS = { burst: 30, intervalMs: 10 * 60_000 };

/** What `linked` asks. `invites` is the reseller whose people ask; `null` for operators. */
export function needsOfLink(invites: string | null): PersonNeeds {
	return { mailSetup: true, ...(invites !== null && { tries: [mailedLinksOf(invites)] }) };
}

function mailedLinksOf(reseller: string): string {
	return `links mailed for ${reseller}`;
}

/** Makes a new link, and mails it if the service sends mail. It replaces the person's previous one. */
export function linked(
	{ sendsMail, tries }: Pick<PersonFacts, 'sendsMail' | 'tries'>,
	{ person, invites }: { readonly person: Person; readonly invites: string | null },
	{ linkHash, linkSecret, purpose }: GivenLink & { readonly purpose: Invitation['purpose'] },
	nowMs: number,
	effects: readonly PersonEffect[],
) {
	const { id, email } = person;
	const expiresAtMs = nowMs + INVITATION_LIFE_MS;
	const invitation = { hash: linkHash, person: id, purpose, expiresAtMs };
	const counted = invites === null ? undefined : decideTry(tries[0], MAILED_LINKS, nowMs);
	const mailing = mailingOf();
	const link: PersonEffect[] =
		mailing === 'mailed'
			? mailedLink(invitation, linkSecret as string, nowMs)
			: [{ kind: 'set_invitation', invitation }];
	if (mailing === 'mailed' && invites !== null && counted?.allowed) {
		link.push({ kind: 'set_tries', tries: { key: mailedLinksOf(invites), forgivenAtMs: counted.forgivenAtMs } });
	}
	return { outcome: { ok: true, email, expiresAtMs, mailing }, effects: [...effects, ...link] } as const;

	function mailingOf(): LinkMailing {
		if (!sendsMail || linkSecret === undefined) return 'not_set_up';
		if (person.lockedAtMs !== null) return 'locked';
		return counted && !counted.allowed ? 'too_many' : 'mailed';
	}
}

/** Makes a link, and mails it. */
export function mailedLink(invitation: Invitation, mailedSecret: string, nowMs: number): PersonEffect[] {
	return [
		{ kind: 'set_invitation', invitation, mailedSecret },
		{ kind: 'mail_link', person: invitation.person, atMs: nowMs },
	];
}

/** Ends all sessions of a person. */
export function removeSessions({ sessions }: PersonRecord): readonly PersonEffect[] {
	return sessions.map(({ hash }) => ({ kind: 'remove_session', hash }));
}
