import type { SignInFactor } from '@bursar/contract/dashboard';
import type { Person } from '../../domain/people/person.ts';
import { type PersonVerb, refused } from '../person-verb.ts';
import { removeSessions } from './links.ts';
import { type NewSession, type SignedIn, startSession } from './sessions.ts';

/** What is common to the uses of links. */
export interface LinkUse {
	readonly linkHash: string;
	readonly session: NewSession;
	readonly actId: string;
	readonly requestId: string;
}

export interface AcceptInvitation extends LinkUse {
	readonly kind: 'accept_invitation';
	/** Absent if the link only signs in. */
	readonly passwordHash?: string | undefined;
}

/** Signs in with a link, and sets the password. A link is good once, and ends all sessions that the person had. */
export const acceptInvitation: PersonVerb<AcceptInvitation, SignedIn, 'invalid_link'> = {
	kind: 'accept_invitation',
	calls: [],
	owner: ({ linkHash }) => linkHash,
	needs: ({ linkHash }) => ({ person: { by: 'link', value: linkHash } }),
	decide({ record }, { linkHash, passwordHash, session, actId, requestId }, nowMs) {
		const invitation = record?.invitation;
		if (!record || invitation?.hash !== linkHash || nowMs >= invitation.expiresAtMs) return refused('invalid_link');
		if (record.person.lockedAtMs !== null) return refused('invalid_link');
		const purpose = passwordHash === undefined ? 'sign_in' : 'set_password';
		if (invitation.purpose !== purpose) return refused('invalid_link');
		const person: Person = { ...record.person, passwordHash: passwordHash ?? record.person.passwordHash };
		const started = startSession({ ...record, sessions: [] }, session, nowMs);
		const made = { id: actId, person: person.id, session: session.id, address: session.address, requestId };
		const act =
			invitation.purpose === 'sign_in'
				? { ...made, kind: 'sign_in', target: 'link' satisfies SignInFactor }
				: { ...made, kind: 'accept_invitation', target: '' };
		return {
			outcome: { ok: true, session: started.session },
			effects: [
				{ kind: 'change_person', person },
				{ kind: 'remove_invitation', person: person.id },
				...removeSessions(record),
				...started.effects,
				{ kind: 'record_act', act: { ...act, reseller: person.reseller, atMs: nowMs } },
			],
		};
	},
};
