import type { AccountCommand } from '../command.ts';
import type { Verb } from '../verb.ts';

export interface ForgetEvents extends AccountCommand {
	readonly kind: 'forget_events';
	/** Unix milliseconds. */
	readonly beforeMs: number;
}

interface Forgotten {
	readonly ok: true;
}

/** Forgets the oldest events of a reseller, a limited number of them at once. The service itself gives this command. */
export const forgetEvents: Verb<ForgetEvents, Forgotten, never> = {
	kind: 'forget_events',
	calls: [],
	giver: 'service',
	decide: (_, { reseller, beforeMs }) => ({
		outcome: { ok: true },
		effects: [{ kind: 'forget_events', reseller, beforeMs }],
	}),
};
