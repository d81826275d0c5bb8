import { decideTaking, dueAfter, FAILURE_CHARACTERS, type TakenMail, type TryEnd } from '../../domain/mail/mail.ts';
import { DONE, type Done, type PersonVerb } from '../person-verb.ts';

interface TakeMails {
	readonly kind: 'take_mails';
}

export interface EndTry {
	readonly kind: 'end_try';
	readonly mail: Pick<TakenMail, 'person' | 'mail' | 'number' | 'tries'>;
	readonly end: TryEnd;
}

interface Taken {
	readonly ok: true;
	/** To send. */
	readonly mails: readonly TakenMail[];
	/** How many were given up, because they could not be sent for too long. */
	readonly givenUp: number;
}

/** Takes mails that are due, for the process that asks. It is a command, because two must not take the same mail. */
export const takeMails: PersonVerb<TakeMails, Taken, never> = {
	kind: 'take_mails',
	calls: [],
	owner: () => 'mail',
	needs: (_, nowMs) => ({ mailsAtMs: nowMs }),
	decide({ dueMails }, _, nowMs) {
		const { mails, effects } = decideTaking(dueMails, nowMs);
		const givenUp = effects.filter((effect) => effect.kind === 'end_try').length;
		return { outcome: { ok: true, mails, givenUp }, effects };
	},
};

/** Says how a try to send a mail ended. */
export const endTry: PersonVerb<EndTry, Done, never> = {
	kind: 'end_try',
	calls: [],
	owner: () => 'mail',
	needs: () => ({}),
	decide(_, { mail, end }, nowMs) {
		const kept: TryEnd = end.kind === 'failed' ? { ...end, failure: end.failure.slice(0, FAILURE_CHARACTERS) } : end;
		return {
			outcome: DONE,
			effects: [{ kind: 'end_try', mail, end: kept, nextAtMs: dueAfter(end, mail, nowMs) }],
		};
	},
};
