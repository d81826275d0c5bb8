import { MAX_PASSKEYS } from '@bursar/contract/dashboard-limits';
import { lacksSecondFactor, type Passkey } from '../../domain/people/person.ts';
import { DONE, type Done, type OwnChange, ownVerb, refused } from '../person-verb.ts';
import { afterRemoval, type FactorAdded, withRecoveryCodes } from './second-factors.ts';
import { useChallenge } from './sessions.ts';

export interface AddPasskey extends OwnChange {
	readonly kind: 'add_passkey';
	readonly passkey: Omit<Passkey, 'person' | 'createdAtMs' | 'lastUsedAtMs'>;
	readonly challengeHash: string;
	readonly challengeExpiresAtMs: number;
	/** These count only if the person has none. */
	readonly recoveryCodes: readonly string[];
}

export interface RenamePasskey extends OwnChange {
	readonly kind: 'rename_passkey';
	readonly id: string;
	readonly name: string;
}

export interface RemovePasskey extends OwnChange {
	readonly kind: 'remove_passkey';
	readonly id: string;
}

export const addPasskey = ownVerb<AddPasskey, FactorAdded, 'challenge_used' | 'passkey_taken' | 'too_many_passkeys'>({
	kind: 'add_passkey',
	calls: ['/account/passkeys'],
	needs: ({ challengeHash, passkey }) => ({ challenge: challengeHash, passkey: passkey.id }),
	decide({ isChallengeUsed, isPasskeyTaken }, command, nowMs, { record }) {
		const challenge = useChallenge(isChallengeUsed, command, nowMs);
		if (!challenge) return refused('challenge_used');
		if (isPasskeyTaken) return refused('passkey_taken');
		if (record.passkeys.length >= MAX_PASSKEYS) return refused('too_many_passkeys');
		const times = { createdAtMs: nowMs, lastUsedAtMs: null };
		const passkey = { ...command.passkey, person: record.person.id, ...times };
		return withRecoveryCodes(record, command.recoveryCodes, [{ kind: 'add_passkey', passkey }, ...challenge]);
	},
});

export const renamePasskey = ownVerb<RenamePasskey, Done, 'unknown_passkey'>({
	kind: 'rename_passkey',
	calls: ['/account/passkeys/rename'],
	decide(_, { id, name }, _nowMs, { record }) {
		const passkey = record.passkeys.find((each) => each.id === id);
		if (!passkey) return refused('unknown_passkey');
		return { outcome: DONE, effects: [{ kind: 'change_passkey', passkey: { ...passkey, name } }] };
	},
});

export const removePasskey = ownVerb<RemovePasskey, Done, 'unknown_passkey' | 'last_factor'>({
	kind: 'remove_passkey',
	calls: ['/account/passkeys/remove'],
	decide(_, { id }, _nowMs, { record }) {
		const passkeys = record.passkeys.filter((each) => each.id !== id);
		if (passkeys.length === record.passkeys.length) return refused('unknown_passkey');
		const left = { ...record, passkeys };
		if (lacksSecondFactor(left)) return refused('last_factor');
		return { outcome: DONE, effects: [{ kind: 'remove_passkey', id }, ...afterRemoval(left)] };
	},
});
