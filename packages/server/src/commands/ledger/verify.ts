import { isVerificationRunning } from '../../domain/operators/verification.ts';
import { type CallersCommand, callersVerb, DONE, type Done, refused } from '../person-verb.ts';

export interface BeginVerification extends CallersCommand {
	readonly kind: 'begin_verification';
	readonly id: string;
}

/**
 * Notes that a verification of the ledger begins.
 * @bound One verification of the ledger runs at a time: a further one is refused.
 */
export const beginVerification = callersVerb<BeginVerification, Done, 'verification_runs'>({
	kind: 'begin_verification',
	calls: ['/operator/ledger/verify'],
	needs: () => ({ verifications: true }),
	decide({ verificationsNotedAtMs }, { id }, nowMs, caller) {
		if (verificationsNotedAtMs.some((notedAtMs) => isVerificationRunning(notedAtMs, nowMs))) {
			return refused('verification_runs');
		}
		const verification = { id, startedBy: caller?.person.email ?? 'operator', startedAtMs: nowMs };
		return { outcome: DONE, effects: [{ kind: 'begin_verification', verification }] };
	},
});
