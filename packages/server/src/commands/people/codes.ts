import { hasSecondFactor, lacksSecondFactor, type OneTimeCodes } from '../../domain/people/person.ts';
import { DONE, type Done, type OwnChange, ownVerb, refused } from '../person-verb.ts';
import { afterRemoval, type FactorAdded, replaceRecoveryCodes, withRecoveryCodes } from './second-factors.ts';
import { useChallenge } from './sessions.ts';

export interface SetCodes extends OwnChange {
	readonly kind: 'set_codes';
	readonly codes: Omit<OneTimeCodes, 'person'>;
	/** The setup that the secret is from. Its codes could count twice if it was good again after they were removed. */
	readonly challengeHash: string;
	readonly challengeExpiresAtMs: number;
	readonly recoveryCodes: readonly string[];
}

export interface RemoveCodes extends OwnChange {
	readonly kind: 'remove_codes';
}

interface SetRecoveryCodes extends OwnChange {
	readonly kind: 'set_recovery_codes';
	readonly recoveryCodes: readonly string[];
}

/** Replaces the person's one-time codes. `recoveryCodes` count only if the person has none. */
export const setCodes = ownVerb<SetCodes, FactorAdded, 'wrong_code'>({
	kind: 'set_codes',
	calls: ['/account/codes'],
	needs: ({ challengeHash }) => ({ challenge: challengeHash }),
	decide({ isChallengeUsed }, command, nowMs, { record }) {
		const setup = useChallenge(isChallengeUsed, command, nowMs);
		if (!setup) return refused('wrong_code');
		return withRecoveryCodes(record, command.recoveryCodes, [
			{ kind: 'set_codes', codes: { ...command.codes, person: record.person.id } },
			...setup,
		]);
	},
});

export const removeCodes = ownVerb<RemoveCodes, Done, 'last_factor'>({
	kind: 'remove_codes',
	calls: ['/account/codes/remove'],
	decide(_, _command, _nowMs, { record }) {
		if (!record.codes) return { outcome: DONE, effects: [] };
		const left = { ...record, codes: undefined };
		if (lacksSecondFactor(left)) return refused('last_factor');
		return { outcome: DONE, effects: [{ kind: 'remove_codes', person: record.person.id }, ...afterRemoval(left)] };
	},
});

export const setRecoveryCodes = ownVerb<SetRecoveryCodes, Done, 'second_factor_required'>({
	kind: 'set_recovery_codes',
	calls: ['/account/recovery-codes'],
	decide(_, { recoveryCodes }, _nowMs, { record }) {
		if (!hasSecondFactor(record)) return refused('second_factor_required');
		return { outcome: DONE, effects: [replaceRecoveryCodes(record, recoveryCodes)] };
	},
});
