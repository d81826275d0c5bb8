import { inPasswordTurn } from '../../../password-turns.ts';
import { hashPassword } from '../../../passwords.ts';
import type { IsWeakPassword } from '../../../weak-passwords.ts';
import type { Refused } from '../calls/refusals.ts';

/** The hash of a password that a person chose. */
export async function hashNewPassword(
	password: string,
	email: string,
	{ isWeakPassword }: { readonly isWeakPassword: IsWeakPassword },
): Promise<{ readonly passwordHash: string } | Refused> {
	if (isWeakPassword(password, email)) return { refused: 'weak_password' };
	const passwordHash = await inPasswordTurn({ group: 'people', owner: email }, () => hashPassword(password));
	return passwordHash === undefined ? { refused: 'unavailable' } : { passwordHash };
}
