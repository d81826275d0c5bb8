import { normalizeEmail } from '@bursar/contract/dashboard';
import { newId, newLink } from '../../../credentials.ts';
import type { Call } from '../calls/call.ts';
import type { Calls } from '../calls/calls.ts';
import { refusedBy } from '../calls/refusals.ts';
import { time } from '../calls/times.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import { hashNewPassword, type PasswordRules } from '../factors/new-password.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { findLink } from './find-link.ts';
import { countForgotten, passwordTries, tryKey } from './throttle.ts';

interface PasswordDependencies extends Pick<DashboardDependencies, 'store' | 'bank' | 'nowMs' | 'mail'>, PasswordRules {
	readonly sessions: Pick<Sessions, 'addressOf'>;
}

/** How people who forgot the password set another one, without anybody's help. */
export function passwordRoutes(calls: Calls, dependencies: PasswordDependencies): void {
	const { bank, mail, sessions } = dependencies;

	function askedIn({ request }: Call) {
		return { id: newId(), address: sessions.addressOf(request).text, requestId: request.id };
	}

	// What is done for a person is not waited for, so that neither the answer nor its time tells whether there is one.
	calls.openChange('/password/forgot', async ({ email: typed }, call) => {
		if (!mail) return { refused: 'mail_off' };
		const refused = await countForgotten(bank, sessions.addressOf(call.request));
		if (refused) return refused;
		const email = normalizeEmail(typed);
		if (email !== undefined) {
			const { linkHash, linkSecret } = newLink();
			const triesKey = tryKey('forgotten', email);
			void bank.changePerson({ kind: 'forgot_password', email, linkHash, linkSecret, triesKey, asked: askedIn(call) });
		}
		return { data: {} };
	});

	calls.openChange('/password/link', async ({ link }) => {
		const found = await findPasswordLink(link, dependencies);
		if (!found) return { refused: 'invalid_link' };
		return { data: { email: found.email, expires: time(found.expiresAtMs) } };
	});

	calls.openChange('/password/new', async ({ link, password }, call) => {
		const found = await findPasswordLink(link, dependencies);
		if (!found) return { refused: 'invalid_link' };
		const { email, linkHash } = found;
		const hashed = await hashNewPassword(password, email, dependencies);
		if ('refused' in hashed) return hashed;
		const forgives = passwordTries('account', email).keys;
		const use = { linkHash, ...hashed, forgives, asked: askedIn(call) };
		const outcome = await bank.changePerson({ kind: 'use_password_link', ...use });
		return outcome.ok ? { data: {} } : refusedBy(outcome);
	});
}

async function findPasswordLink(link: string, dependencies: Parameters<typeof findLink>[1]) {
	const found = await findLink(link, dependencies);
	if (found?.invitation.purpose !== 'new_password' || !found.person) return undefined;
	const { hash: linkHash, expiresAtMs } = found.invitation;
	return { email: found.person.email, linkHash, expiresAtMs };
}
