import { operatorOf } from '../people/caller.ts';
import { DONE, type PersonDecision, refused } from '../people/person-decision.ts';
import type { PersonFacts } from '../people/person-facts.ts';
import type { BeginVerification } from './operator-command.ts';
import { isVerificationRunning } from './verification.ts';

export function decideVerification(
	facts: PersonFacts,
	command: BeginVerification,
	nowMs: number,
): PersonDecision<BeginVerification> {
	const { id, by } = command;
	const caller = by && operatorOf(facts, by, command, nowMs);
	if (typeof caller === 'string') return refused(caller);
	if (facts.verificationsNotedAtMs.some((notedAtMs) => isVerificationRunning(notedAtMs, nowMs))) {
		return refused('verification_runs');
	}
	const startedBy = caller?.person.email ?? 'operator';
	return {
		outcome: DONE,
		effects: [
			{ kind: 'begin_verification', verification: { id, startedBy, startedAtMs: nowMs } },
			...(by ? [{ kind: 'record_act', act: { ...by.act, atMs: nowMs } } as const] : []),
		],
	};
}
