import type { Presence } from '@bursar/contract/dashboard';
import { hashSecret, newId } from '../../../credentials.ts';
import { readAfterChange } from '../calls/after-change.ts';
import type { BodyOf } from '../calls/bodies.ts';
import type { Call, Reply } from '../calls/call.ts';
import type { Calls } from '../calls/calls.ts';
import { refusedBy } from '../calls/refusals.ts';
import { time } from '../calls/times.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import { hashNewPassword, type PasswordRules } from '../factors/new-password.ts';
import { presenceView } from '../sessions/presence.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { counted } from './sign-in-results.ts';

interface InvitationDependencies
	extends Pick<DashboardDependencies, 'store' | 'bank' | 'nowMs' | 'publicUrl' | 'signInDone'>,
		PasswordRules {
	readonly sessions: Sessions;
}

/** Links with which people set a password, or only sign in. */
export function invitationRoutes(calls: Calls, dependencies: InvitationDependencies): void {
	calls.openChange('/invitation', async ({ link }) => {
		const found = await findLink(link, dependencies);
		if (!found) return { refused: 'invalid_link' };
		const { invitation, person } = found;
		const [act] = await dependencies.store.listActs(person.id, Number.MAX_SAFE_INTEGER, 1);
		return {
			data: {
				email: person.email,
				reseller: person.reseller,
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
	{ link, password }: BodyOf<'/invitation/accept'>,
	call: Call,
	dependencies: InvitationDependencies,
): Promise<Reply<Presence>> {
	const { store, bank, sessions } = dependencies;
	const found = await findLink(link, dependencies);
	if (!found) return { refused: 'invalid_link' };
	if ((found.invitation.purpose === 'set_password') !== (password !== undefined)) return { refused: 'invalid_request' };
	const hashed = password === undefined ? undefined : await hashNewPassword(password, found.person.email, dependencies);
	if (hashed && 'refused' in hashed) return hashed;
	const before = await sessions.find(call.request);
	const { secret, session } = sessions.make(call.request);
	const outcome = await bank.changePerson({
		kind: 'accept_invitation',
		linkHash: found.invitation.hash,
		passwordHash: hashed?.passwordHash,
		session,
		actId: newId(),
		requestId: call.request.id,
	});
	if (!outcome.ok) return refusedBy(outcome);
	const person = { ...found.person, ...hashed };
	sessions.start(call, secret, { session: outcome.session, person }, before);
	return readAfterChange(async () => ({ data: presenceView(await store.findSession(session.hash), dependencies) }));
}

/** The invitation of a link that still counts, and its person. */
async function findLink(link: string, { store, nowMs }: Pick<InvitationDependencies, 'store' | 'nowMs'>) {
	const found = await store.findInvitation(hashSecret(link));
	const isGood = found && nowMs() < found.invitation.expiresAtMs && found.person.lockedAtMs === null;
	return isGood ? found : undefined;
}
