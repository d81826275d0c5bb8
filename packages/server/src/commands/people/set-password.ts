import { DONE, type Done, type OwnChange, ownVerb } from '../person-verb.ts';
import { endOtherSessions } from './end-sessions.ts';
import { passwordChanged } from './new-password.ts';

export interface SetPassword extends OwnChange {
	readonly kind: 'set_password';
	readonly passwordHash: string;
}

/** Sets the own password, and ends every other way in that the previous one may have opened. */
export const setPassword = ownVerb<SetPassword, Done, never>({
	kind: 'set_password',
	calls: ['/account/password'],
	decide(_, { passwordHash, act }, nowMs, { record, session }) {
		const person = { ...record.person, passwordHash };
		const invitation = record.invitation ? [{ kind: 'remove_invitation', person: person.id } as const] : [];
		return {
			outcome: DONE,
			effects: [
				{ kind: 'change_person', person },
				...invitation,
				...endOtherSessions(record, session),
				passwordChanged(person, { by: 'session', address: act.address }, nowMs),
			],
		};
	},
});
