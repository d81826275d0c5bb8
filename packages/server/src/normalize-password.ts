import { MAX_PASSWORD_BYTES } from '@bursar/contract/dashboard';

/**
 * The form in which a password is looked at, whichever way it was typed, or `undefined` if it is too long. The time that
 * Unicode's normal forms take grows with the square of the length: up to this length, below 1 ms.
 */
export function normalizePassword(typed: string): string | undefined {
	return Buffer.byteLength(typed) <= MAX_PASSWORD_BYTES ? typed.normalize('NFKC') : undefined;
}
