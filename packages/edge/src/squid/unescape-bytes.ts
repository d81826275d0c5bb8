/**
 * Decodes what Squid's URL encoding made of any bytes: one character for each byte (latin1). Text that is not an
 * escape stays as it is, so there is no text on which this fails.
 */
export function unescapeBytes(text: string): string {
	return text.replace(/%([0-9A-Fa-f]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}
