import { type CallersCommand, callersVerb, DONE, type Done, isKnownTo, isSamePerson, refused } from '../person-verb.ts';

export interface RemovePerson extends CallersCommand {
	readonly kind: 'remove_person';
	readonly email: string;
}

/**
 * Removes a person with all sessions, factors and links. What the person did stays recorded, with the e-mail address. An
 * operator who asks on the dashboard is another one than the removed. So only the command line could remove the last.
 */
export const removePerson = callersVerb<RemovePerson, Done, 'unknown_person' | 'own_account' | 'last_operator'>({
	kind: 'remove_person',
	calls: ['/team/remove', '/operator/people/remove'],
	needs: ({ email }) => ({ person: { by: 'email', value: email }, otherOperator: email }),
	decide({ record, hasOtherOperator }, _, nowMs, caller) {
		if (!record || !isKnownTo(record, caller)) return refused('unknown_person');
		if (isSamePerson(record, caller)) return refused('own_account');
		if (record.person.reseller === null && !hasOtherOperator) return refused('last_operator');
		return { outcome: DONE, effects: [{ kind: 'remove_person', person: record.person, removedAtMs: nowMs }] };
	},
});
