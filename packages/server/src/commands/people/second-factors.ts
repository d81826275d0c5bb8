import { hasSecondFactor, type PersonRecord, RECOVERY_CODES } from '../../domain/people/person.ts';
import type { PersonEffect } from '../../domain/people/person-effect.ts';

/** A new second factor. */
export interface FactorAdded {
	readonly ok: true;
	/** Whether the new recovery codes count. */
	readonly madeRecoveryCodes: boolean;
}

/**
 * Adds recovery codes to the effects of a new second factor, if the person has none. Codes from before the first
 * factor would be a way around it.
 */
export function withRecoveryCodes(record: PersonRecord, hashes: readonly string[], effects: readonly PersonEffect[]) {
	const madeRecoveryCodes = record.recoveryCodes.length === 0 || !hasSecondFactor(record);
	const made = madeRecoveryCodes ? [replaceRecoveryCodes(record, hashes)] : [];
	return { outcome: { ok: true, madeRecoveryCodes }, effects: [...effects, ...made] } as const;
}

/** Recovery codes stand in for a second factor. Without one, they are of no use. */
export function afterRemoval(left: PersonRecord): readonly PersonEffect[] {
	return hasSecondFactor(left) ? [] : [replaceRecoveryCodes(left, [])];
}

export function replaceRecoveryCodes({ person }: PersonRecord, hashes: readonly string[]): PersonEffect {
	if (hashes.length > RECOVERY_CODES) throw new Error(`a person has ${RECOVERY_CODES} recovery codes at most`);
	return { kind: 'replace_recovery_codes', person: person.id, hashes };
}
