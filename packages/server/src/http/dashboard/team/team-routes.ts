import { normalizeEmail, normalizeNewEmail, roleTarget, type Team } from '@bursar/contract/dashboard';
import { newId, newLink } from '../../../credentials.ts';
import { readAfterChange } from '../calls/after-change.ts';
import { resellerOf } from '../calls/call.ts';
import type { Calls } from '../calls/calls.ts';
import { ownChange } from '../calls/own-change.ts';
import { refusedBy } from '../calls/refusals.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { linkView, personView } from './person-view.ts';

interface TeamDependencies extends Pick<DashboardDependencies, 'store' | 'bank' | 'publicUrl'> {
	readonly sessions: Sessions;
}

/** The people of a reseller. All of them see the list, and owners change it. */
export function teamRoutes(calls: Calls, { store, bank, publicUrl, sessions }: TeamDependencies): void {
	const readTeam = async (reseller: string): Promise<{ readonly data: Team }> => ({
		data: { people: (await store.listPeopleOf(reseller, reseller)).map(personView) },
	});

	calls.read('/team', (_query, call) => readTeam(resellerOf(call)));

	calls.change('/team/invite', async ({ act, email: address, role }, call) => {
		const email = normalizeNewEmail(address);
		if (email === undefined) return { refused: 'invalid_request' };
		const { secret, ...link } = newLink();
		const outcome = await bank.changePerson({
			kind: 'invite_person',
			id: newId(),
			email,
			reseller: resellerOf(call),
			role,
			...link,
			purpose: 'set_password',
			by: ownChange(call, sessions, { act, kind: 'invite_person', target: roleTarget(email, role) }),
		});
		return outcome.ok ? { data: linkView(publicUrl(), secret, outcome) } : refusedBy(outcome);
	});

	calls.change('/team/role', async ({ act, email: address, role }, call) => {
		const email = normalizeEmail(address);
		if (email === undefined) return { refused: 'unknown_person' };
		const by = ownChange(call, sessions, { act, kind: 'set_role', target: roleTarget(email, role) });
		const outcome = await bank.changePerson({ kind: 'set_role', email, role, by });
		return outcome.ok ? readAfterChange(() => readTeam(resellerOf(call))) : refusedBy(outcome);
	});

	calls.change('/team/remove', async ({ act, email: address }, call) => {
		const email = normalizeEmail(address);
		if (email === undefined) return { refused: 'unknown_person' };
		const by = ownChange(call, sessions, { act, kind: 'remove_person', target: email });
		const outcome = await bank.changePerson({ kind: 'remove_person', email, by });
		return outcome.ok ? readAfterChange(() => readTeam(resellerOf(call))) : refusedBy(outcome);
	});
}
