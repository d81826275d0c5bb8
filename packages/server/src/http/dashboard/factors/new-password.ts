import { inPasswordTurn } from '../../../password-turns.ts';
import { hashPassword, type PasswordCost } from '../../../passwords.ts';
import type { IsWeakPassword } from '../../../weak-passwords.ts';
import type { Refused } from '../calls/refusals.ts';

export interface PasswordRules {
	readonly isWeakPassword: IsWeakPassword;
	readonly passwordCost?: PasswordCost | undefined;
}

/** The hash of a password that a person chose. */
export async function hashNewPassword(
	password: string,
	email: string,
	{ isWeakPassword, passwordCost }: PasswordRules,
): Promise<{ readonly passwordHash: string } | Refused> {
	if (isWeakPassword(password, email)) return { refused: 'weak_password' };
	const passwordHash = await inPasswordTurn({ group: 'people', owner: email }, () =>
		hashPassword(password, passwordCost),
	);
	return passwordHash === undefined ? { refused: 'unavailable', isCallerBusy: true } : { passwordHash };
}
