import type { Role } from '@bursar/contract/dashboard';
import { type CallersCommand, callersVerb, DONE, type Done, isKnownTo, isSamePerson, refused } from '../person-verb.ts';

export interface SetRole extends CallersCommand {
	readonly kind: 'set_role';
	readonly email: string;
	readonly role: Role;
}

type RoleRefusal =
	| 'unknown_person'
	| 'own_account'
	/** The person is an operator, and so has no role. */
	| 'not_for_operators';

/** Gives a person of a reseller another role. Owners give none to themselves, so an owner always stays: the one who asks. */
export const setRole = callersVerb<SetRole, Done, RoleRefusal>({
	kind: 'set_role',
	calls: ['/team/role'],
	needs: ({ email }) => ({ person: { by: 'email', value: email } }),
	decide({ record }, { role }, _, caller) {
		if (!record || !isKnownTo(record, caller)) return refused('unknown_person');
		if (isSamePerson(record, caller)) return refused('own_account');
		if (record.person.reseller === null) return refused('not_for_operators');
		return { outcome: DONE, effects: [{ kind: 'change_person', person: { ...record.person, role } }] };
	},
});
