import { decideForCaller } from '../people/caller.ts';
import { DONE, type PersonDecision, refused } from '../people/person-decision.ts';
import type { PersonFacts } from '../people/person-facts.ts';
import type { BeginVerification } from './operator-command.ts';
import { isVerificationRunning } from './verification.ts';

export function decideVerification(
	facts: PersonFacts,
	command: BeginVerification,
	nowMs: number,
): PersonDecision<BeginVerification> {
	return decideForCaller(facts, command, nowMs, (caller) => {
		if (facts.verificationsNotedAtMs.some((notedAtMs) => isVerificationRunning(notedAtMs, nowMs))) {
			return refused('verification_runs');
		}
		const verification = { id: command.id, startedBy: caller?.person.email ?? 'operator', startedAtMs: nowMs };
		return { outcome: DONE, effects: [{ kind: 'begin_verification', verification }] };
	});
}
