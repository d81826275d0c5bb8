/**
 * Whether all characters are visible ASCII characters or spaces. Most texts are, and a pattern with a class of Unicode
 * characters takes half a millisecond to make.
 */
export function isPrintableAscii(text: string): boolean {
	return /^[ -~]*$/.test(text);
}
