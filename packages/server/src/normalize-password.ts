/** UTF-8 bytes. The time that Unicode's normal forms take grows with the square of the length: here, below 1 ms. */
const MAX_BYTES = 1024;

/** The form in which a password is looked at, whichever way it was typed, or `undefined` if it is too long. */
export function normalizePassword(typed: string): string | undefined {
	return Buffer.byteLength(typed) <= MAX_BYTES ? typed.normalize('NFKC') : undefined;
}
