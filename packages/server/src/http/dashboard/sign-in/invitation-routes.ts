import { normalizeNewEmail, type Presence } from '@bursar/contract/dashboard';
import type { BodyOf } from '@bursar/contract/dashboard-schemas';
import { newId } from '../../../credentials.ts';
import { readAfterChange } from '../calls/after-change.ts';
import type { Call, Reply } from '../calls/call.ts';
import type { Calls } from '../calls/calls.ts';
import { refusedBy } from '../calls/refusals.ts';
import { time } from '../calls/times.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import { hashNewPassword, type PasswordRules } from '../factors/new-password.ts';
import { presenceView } from '../sessions/presence.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { findLink } from './find-link.ts';
import { counted } from './sign-in-results.ts';

interface InvitationDependencies
	extends Pick<
			DashboardDependencies,
			'store' | 'bank' | 'nowMs' | 'publicUrl' | 'mail' | 'signInDone' | 'brand' | 'topUps'
		>,
		PasswordRules {
	readonly sessions: Sessions;
}

/** Links with which people set a password, only sign in, or claim the service. */
export function invitationRoutes(calls: Calls, dependencies: InvitationDependencies): void {
	calls.openChange('/invitation', async ({ link }) => {
		const found = await findInvitation(link, dependencies);
		if (!found) return { refused: 'invalid_link' };
		const { invitation, person } = found;
		const [act] = await dependencies.store.listActs(invitation.person, Number.MAX_SAFE_INTEGER, 1);
		return {
			data: {
				email: person?.email ?? null,
				reseller: person?.reseller ?? null,
				role: person?.role ?? null,
				signs_in: invitation.purpose === 'sign_in',
				new_person: act === undefined,
				expires: time(invitation.expiresAtMs),
			},
		};
	});
	calls.openChange('/invitation/accept', async (body, call) =>
		counted(dependencies, 'link', await accept(body, call, dependencies)),
	);
}

async function accept(
	{ link, password, email: chosen = '' }: BodyOf<'/invitation/accept'>,
	call: Call,
	dependencies: InvitationDependencies,
): Promise<Reply<Presence>> {
	const { store, bank, sessions } = dependencies;
	const found = await findInvitation(link, dependencies);
	if (!found) return { refused: 'invalid_link' };
	const { invitation, person } = found;
	const email = person ? person.email : normalizeNewEmail(chosen);
	const needsPassword = invitation.purpose !== 'sign_in';
	if (email === undefined || needsPassword !== (password !== undefined)) return { refused: 'invalid_request' };
	const hashed = password === undefined ? undefined : await hashNewPassword(password, email, dependencies);
	if (hashed && 'refused' in hashed) return hashed;
	const before = await sessions.find(call.request);
	const { secret, session } = sessions.make(call.request, person);
	const use = { linkHash: invitation.hash, session, actId: newId(), requestId: call.request.id };
	const outcome = await bank.changePerson(
		!person && hashed ? { kind: 'claim', ...use, email, ...hashed } : { kind: 'accept_invitation', ...use, ...hashed },
	);
	if (!outcome.ok) return refusedBy(outcome);
	const passwordHash = hashed?.passwordHash ?? person?.passwordHash ?? null;
	sessions.start(call, secret, { session: outcome.session, person: { email, passwordHash } }, before);
	return readAfterChange(async () => ({
		data: await presenceView(await store.findSession(session.hash), dependencies),
	}));
}

/** The link of `/password/forgot` invites nobody. */
async function findInvitation(link: string, dependencies: Parameters<typeof findLink>[1]) {
	const found = await findLink(link, dependencies);
	return found?.invitation.purpose === 'new_password' ? undefined : found;
}
