/**
 * Whether all characters are visible ASCII characters or spaces. This is true of most texts. A pattern with a class of
 * Unicode characters takes half a millisecond to make.
 */
export function isPrintableAscii(text: string): boolean {
	return /^[ -~]*$/.test(text);
}
