import type { PersonRecord, Session } from '../../domain/people/person.ts';
import type { PersonEffect } from '../../domain/people/person-effect.ts';
import { DONE, type Done, type OwnChange, ownVerb, refused } from '../person-verb.ts';

export interface EndSessions extends OwnChange {
	readonly kind: 'end_sessions';
	/** The public id of one. */
	readonly session: string | 'others';
}

/** Ends one session of the person, or all but the one that asks. */
export const endSessions = ownVerb<EndSessions, Done, 'unknown_session'>({
	kind: 'end_sessions',
	calls: ['/account/sessions/end', '/account/sessions/end-others'],
	decide(_, command, _nowMs, { record, session }) {
		if (command.session === 'others') return { outcome: DONE, effects: endOtherSessions(record, session) };
		const ended = record.sessions.filter(({ id }) => id === command.session);
		if (ended.length === 0) return refused('unknown_session');
		return { outcome: DONE, effects: ended.map(({ hash }) => ({ kind: 'remove_session', hash })) };
	},
});

export function endOtherSessions({ sessions }: PersonRecord, session: Session): readonly PersonEffect[] {
	return sessions.filter((each) => each !== session).map(({ hash }) => ({ kind: 'remove_session', hash }));
}
