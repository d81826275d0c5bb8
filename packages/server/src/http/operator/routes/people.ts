import { normalizeEmail, normalizeNewEmail } from '@bursar/contract/dashboard';
import { normalizeUsername } from '@bursar/contract/username';
import { linkUrl, newId, newLink } from '../../../credentials.ts';
import { PROGRAMS } from '../../../store/reading.ts';
import type { PersonOfReseller } from '../../../store/tables/people/lists.ts';
import type { Calls } from '../calls.ts';
import type { OperatorDependencies } from '../dependencies.ts';
import { findReseller } from '../find-reseller.ts';
import { refusedBy } from '../refusals.ts';
import { time, timeOrNull } from '../times.ts';

/** The people of resellers. The rules refuse what is about an operator, who to a program is like one who does not exist. */
export function peopleCalls(
	calls: Calls,
	{ accounts, store, publicUrl }: Pick<OperatorDependencies, 'accounts' | 'store' | 'publicUrl'>,
): void {
	calls.answer('viewPeople', async ({ reseller }) => {
		const account = await findReseller(accounts, reseller);
		if (!account) return { refused: 'unknown_reseller' };
		return { data: (await store.listPeopleOf(account.username, PROGRAMS)).map(personView) };
	});

	calls.answer('invitePerson', async ({ reseller: typedName, email: address, role }, call) => {
		const email = normalizeNewEmail(address);
		if (email === undefined) {
			return { refused: 'invalid_request', message: 'the field email of the request body is no e-mail address' };
		}
		const reseller = normalizeUsername(typedName);
		if (reseller === undefined) return { refused: 'unknown_reseller' };
		const { secret, ...made } = newLink();
		const making = { id: newId(), ...made, purpose: 'set_password' } as const;
		const outcome = await call.changePerson({ kind: 'invite_person', email, reseller, role, ...making });
		if (outcome.ok) {
			const link = linkUrl(publicUrl(), secret);
			return {
				data: { reseller, email, link, expires_at: time(outcome.expiresAtMs), mailed: outcome.mailing === 'mailed' },
			};
		}
		return outcome.error === 'not_allowed' ? { refused: 'email_taken' } : refusedBy(outcome);
	});

	for (const [name, kind] of [
		['lockPerson', 'lock_person'],
		['unlockPerson', 'unlock_person'],
		['removePerson', 'remove_person'],
	] as const) {
		calls.answer(name, async ({ email: address }, call) => {
			const email = normalizeEmail(address);
			if (email === undefined) return { refused: 'unknown_person' };
			const outcome = await call.changePerson({ kind, email });
			if (outcome.ok) return { data: { email } };
			return outcome.error === 'not_allowed' ? { refused: 'unknown_person' } : refusedBy(outcome);
		});
	}
}

function personView({ email, role, state, secondFactor, lastSeenAtMs }: PersonOfReseller) {
	if (role === null) throw new Error('a person of a reseller has no role');
	return { email, role, state, second_factor: secondFactor, last_seen: timeOrNull(lastSeenAtMs) };
}
