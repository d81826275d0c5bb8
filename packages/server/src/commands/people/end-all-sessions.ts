import type { CommandLineAct } from '../../domain/people/act.ts';
import type { PersonVerb } from '../person-verb.ts';

export interface EndAllSessions {
	readonly kind: 'end_all_sessions';
	readonly unattended?: CommandLineAct | undefined;
}

interface AllEnded {
	readonly ok: true;
	/** How many sessions ended. */
	readonly sessions: number;
}

/** Ends the sessions of everybody, and their links: after a restore, those that were used since would work again. */
export const endAllSessions: PersonVerb<EndAllSessions, AllEnded, never> = {
	kind: 'end_all_sessions',
	calls: [],
	owner: () => 'operator',
	needs: (_, nowMs) => ({ sessionsAtMs: nowMs }),
	decide: ({ liveSessions }) => ({
		outcome: { ok: true, sessions: liveSessions },
		effects: [{ kind: 'remove_all_sessions' }, { kind: 'remove_all_invitations' }, { kind: 'end_all_edge_links' }],
	}),
};
