import { normalizeEmail, normalizeEmailPart, normalizeNewEmail, roleTarget } from '@bursar/contract/dashboard';
import { newId, newLink } from '../../../credentials.ts';
import type { ListedPerson } from '../../../store/tables/people/lists.ts';
import { findReseller } from '../business/accounts.ts';
import type { Calls } from '../calls/calls.ts';
import { pageOf } from '../calls/list-page.ts';
import { ownChange } from '../calls/own-change.ts';
import { refusedBy } from '../calls/refusals.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { linkView, personView } from '../team/person-view.ts';

interface PeopleDependencies extends Pick<DashboardDependencies, 'store' | 'accounts' | 'bank' | 'publicUrl'> {
	readonly sessions: Sessions;
}

/** What needs only the address of a person. */
const CHANGES = {
	lock_person: '/operator/people/lock',
	unlock_person: '/operator/people/unlock',
	remove_person: '/operator/people/remove',
} as const;

/** Lists, invites, locks, resets and removes people, for operators. */
export function operatorPeopleRoutes(calls: Calls, dependencies: PeopleDependencies): void {
	const { store, accounts, bank, sessions, publicUrl } = dependencies;

	calls.change('/operator/people/invite', async ({ act, email: address, reseller: typedName, role }, call) => {
		const email = normalizeNewEmail(address);
		if (email === undefined || (typedName === null) !== (role === null)) return { refused: 'invalid_request' };
		const account = typedName === null ? undefined : await findReseller(accounts, typedName);
		if (typedName !== null && !account) return { refused: 'unknown_reseller' };
		const { secret, ...link } = newLink();
		const outcome = await bank.changePerson({
			kind: 'invite_person',
			id: newId(),
			email,
			reseller: account?.username ?? null,
			role,
			...link,
			purpose: 'set_password',
			by: ownChange(call, sessions, { act, kind: 'invite_person', target: roleTarget(email, role) }),
		});
		return outcome.ok ? { data: linkView(publicUrl(), secret, outcome) } : refusedBy(outcome);
	});

	calls.read('/operator/people', async ({ search = '', of, ...position }) => {
		const page = await pageOf<ListedPerson, string>(position, {
			readPosition: (text) => (normalizeEmail(text) === text ? text : undefined),
			positionText: ({ email }) => email,
			list: (after, backwards, limit) =>
				store.listPeople({ search: normalizeEmailPart(search), of, after, descends: backwards, limit }),
		});
		if (!page) return { refused: 'invalid_query' };
		const people = page.rows.map((person) => ({ ...personView(person), reseller: person.reseller }));
		return { data: { people, next: page.next, previous: page.previous } };
	});

	for (const kind of ['lock_person', 'unlock_person', 'remove_person'] as const) {
		calls.change(CHANGES[kind], async ({ act, email: address }, call) => {
			const email = normalizeEmail(address);
			if (email === undefined) return { refused: 'unknown_person' };
			const by = ownChange(call, sessions, { act, kind, target: email });
			const outcome = await bank.changePerson({ kind, email, by });
			return outcome.ok ? { data: {} } : refusedBy(outcome);
		});
	}

	calls.change('/operator/people/reset', async ({ act, email: address }, call) => {
		const email = normalizeEmail(address);
		if (email === undefined) return { refused: 'unknown_person' };
		const { secret, ...link } = newLink();
		const by = ownChange(call, sessions, { act, kind: 'reset_person', target: email });
		const outcome = await bank.changePerson({ kind: 'reset_person', email, ...link, by });
		return outcome.ok ? { data: linkView(publicUrl(), secret, outcome) } : refusedBy(outcome);
	});
}
