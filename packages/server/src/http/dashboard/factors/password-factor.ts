import type { VerifiedFactor } from '../../../commands/people/sign-in.ts';
import { hasSecondFactor, type PersonRecord } from '../../../domain/people/person.ts';
import { inPasswordTurn, type PasswordTurn } from '../../../password-turns.ts';
import { verifyPassword } from '../../../passwords.ts';
import type { Refused } from '../calls/refusals.ts';
import { isOneTimeCode, stepOfCode } from './one-time-codes.ts';
import { hashTypedRecoveryCode } from './recovery-codes.ts';

interface TypedPassword {
	readonly password: string;
	/** A one-time code or a recovery code. */
	readonly code?: string;
}

type PasswordFactor = Extract<VerifiedFactor, { kind: 'password' }>;

interface VerifiedPassword {
	readonly record: PersonRecord;
	readonly factor: PasswordFactor;
}

/**
 * Verifies a password, and the code with it. Nobody can tell by the answer, or by its time, whether a person exists,
 * is locked, or has no password yet. The rules refuse a code that was used before, and ask for one that is missing.
 */
export async function verifyPasswordFactor(
	record: PersonRecord | undefined,
	{ password, code }: TypedPassword,
	turn: PasswordTurn,
	nowMs: number,
): Promise<VerifiedPassword | Refused> {
	const mayTry = record?.person.lockedAtMs === null;
	const passwordHash = (mayTry && record.person.passwordHash) || undefined;
	const isRight = await inPasswordTurn(turn, () => verifyPassword(password, passwordHash));
	if (isRight === undefined) return { refused: 'unavailable', isCallerBusy: true };
	if (!record || passwordHash === undefined || !isRight) return { refused: 'wrong_credentials' };
	const factor: PasswordFactor = { kind: 'password', passwordHash };
	if (code === undefined || !hasSecondFactor(record)) return { record, factor };
	const verified = verifyCode(record, code, nowMs);
	return verified ? { record, factor: { ...factor, code: verified } } : { refused: 'wrong_code' };
}

function verifyCode({ codes, recoveryCodes }: PersonRecord, typed: string, nowMs: number): PasswordFactor['code'] {
	if (isOneTimeCode(typed)) {
		const step = codes && stepOfCode(typed, codes.secret, nowMs);
		return step === undefined ? undefined : { step };
	}
	const recoveryHash = hashTypedRecoveryCode(typed);
	return recoveryHash !== undefined && recoveryCodes.includes(recoveryHash) ? { recoveryHash } : undefined;
}
