import { operatorOf } from './asker.ts';
import type { BeginVerification, NoteVerification } from './person-command.ts';
import { DONE, type PersonDecision, refused } from './person-decision.ts';
import type { PersonFacts } from './person-facts.ts';
import { isVerificationRunning } from './verification.ts';

/** The longest result, in characters. 100 problems of 600 characters fit. */
const MAX_RESULT = 100_000;

export function decideVerification(
	facts: PersonFacts,
	command: BeginVerification,
	nowMs: number,
): PersonDecision<BeginVerification> {
	const { id, by } = command;
	const asker = by && operatorOf(facts, by, command, nowMs);
	if (typeof asker === 'string') return refused(asker);
	if (facts.verificationsNotedAtMs.some((notedAtMs) => isVerificationRunning(notedAtMs, nowMs))) {
		return refused('verification_runs');
	}
	const startedBy = asker?.person.email ?? 'operator';
	return {
		outcome: DONE,
		effects: [
			{ kind: 'begin_verification', verification: { id, startedBy, startedAtMs: nowMs } },
			...(by ? [{ kind: 'record_act', act: { ...by.act, atMs: nowMs } } as const] : []),
		],
	};
}

export function decideVerificationNote(
	{ id, done, steps, result }: NoteVerification,
	nowMs: number,
): PersonDecision<NoteVerification> {
	const isCount = (count: number) => Number.isInteger(count) && count >= 0 && count <= 1_000_000;
	if (!isCount(done) || !isCount(steps)) throw new Error('the steps of a verification are not counts');
	if ((result?.length ?? 0) > MAX_RESULT) throw new Error('the result of a verification is too long');
	const note = { id, notedAtMs: nowMs, done, steps, result };
	return { outcome: DONE, effects: [{ kind: 'note_verification', note }] };
}
