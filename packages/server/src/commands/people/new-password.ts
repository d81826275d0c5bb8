import type { StoredNotice } from '../../domain/mail/notice.ts';
import type { LinkAct } from '../../domain/people/act.ts';
import { NEW_PASSWORD_LIFE_MS, type Person } from '../../domain/people/person.ts';
import type { PersonEffect } from '../../domain/people/person-effect.ts';
import { decideTry } from '../../domain/people/tries.ts';
import { DONE, type Done, type PersonVerb, refused } from '../person-verb.ts';
import { mailedLink, removeSessions } from './links.ts';

/** What is recorded of a call that asks without a session. The rules add the person. */
type Asked = Omit<LinkAct, 'person' | 'kind' | 'target'>;

export interface ForgotPassword {
	readonly kind: 'forgot_password';
	readonly linkHash: string;
	readonly linkSecret: string;
	readonly email: string;
	/** The count of the mails to this address. */
	readonly triesKey: string;
	readonly asked: Asked;
}

export interface UsePasswordLink {
	readonly kind: 'use_password_link';
	readonly linkHash: string;
	readonly passwordHash: string;
	readonly asked: Asked;
	/** Counts of tries that are forgiven, because the new password is wanted now. */
	readonly forgives: readonly string[];
}

/**
 * Who types an address need not be its person.
 * @bound Mails with a link for a forgotten password to one person: further requests change nothing.
 */
const ASKED = { burst: 3, intervalMs: 20 * 60_000 };

/**
 * The row that is written when nothing else is, always the same one. Without it, the next request of a stranger would wait
 * for a disk only behind one for a person.
 */
const NOBODY = 'nobody forgot the password';

/**
 * Mails a person a link for a new password. Who asks is told nothing, so for an unknown address, one who is locked or has
 * not accepted an invitation, and one who had three such mails within the hour, nothing happens that can be seen.
 */
export const forgotPassword: PersonVerb<ForgotPassword, Done, never> = {
	kind: 'forgot_password',
	calls: [],
	// Strangers must not use up the turns of the person.
	owner: ({ triesKey }) => triesKey,
	needs: ({ email, triesKey }) => ({ person: { by: 'email', value: email }, tries: [triesKey], mailSetup: true }),
	decide({ record, tries, sendsMail }, { linkHash, linkSecret, triesKey, asked }, nowMs) {
		const nothing = {
			outcome: DONE,
			effects: [{ kind: 'set_tries', tries: { key: NOBODY, forgivenAtMs: nowMs } }],
		} as const;
		if (!record || !sendsMail) return nothing;
		const { id, reseller, passwordHash, lockedAtMs } = record.person;
		const counted = decideTry(tries[0], ASKED, nowMs);
		if (passwordHash === null || lockedAtMs !== null || !counted.allowed) return nothing;
		const invitation = {
			hash: linkHash,
			person: id,
			purpose: 'new_password',
			expiresAtMs: nowMs + NEW_PASSWORD_LIFE_MS,
		} as const;
		const act = { ...asked, person: id, kind: 'forgot_password', target: '', reseller, atMs: nowMs };
		return {
			outcome: DONE,
			effects: [
				...mailedLink(invitation, linkSecret, nowMs),
				{ kind: 'set_tries', tries: { key: triesKey, forgivenAtMs: counted.forgivenAtMs } },
				{ kind: 'forget_tries', atMs: nowMs },
				{ kind: 'record_act', act },
			],
		};
	},
};

/** Replaces a forgotten password. It ends all sessions and starts none: the second factor is still asked for. */
export const usePasswordLink: PersonVerb<UsePasswordLink, Done, 'invalid_link'> = {
	kind: 'use_password_link',
	calls: [],
	owner: ({ linkHash }) => linkHash,
	needs: ({ linkHash }) => ({ person: { by: 'link', value: linkHash } }),
	decide({ record }, { linkHash, passwordHash, asked, forgives }, nowMs) {
		const invitation = record?.invitation;
		if (!record || invitation?.hash !== linkHash || nowMs >= invitation.expiresAtMs) return refused('invalid_link');
		const { lockedAtMs, passwordHash: before } = record.person;
		if (invitation.purpose !== 'new_password' || lockedAtMs !== null || before === null) return refused('invalid_link');
		const person: Person = { ...record.person, passwordHash };
		const { id, reseller } = person;
		const act = { ...asked, person: id, kind: 'new_password', target: '', reseller, atMs: nowMs };
		return {
			outcome: DONE,
			effects: [
				{ kind: 'change_person', person },
				{ kind: 'remove_invitation', person: id },
				...removeSessions(record),
				...forgives.map((key) => ({ kind: 'remove_tries', key }) as const),
				passwordChanged(person, { by: 'link', address: asked.address }, nowMs),
				{ kind: 'record_act', act },
			],
		};
	},
};

export function passwordChanged(
	{ id }: Person,
	facts: Omit<StoredNotice<'password_changed'>, 'atMs'>,
	atMs: number,
): PersonEffect {
	return { kind: 'notify', notice: { kind: 'password_changed', to: { person: id }, atMs, facts } };
}
