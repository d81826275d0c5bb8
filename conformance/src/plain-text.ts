/** On one line, and without what could steer a terminal: a wrong service may answer anything. */
export function plainText(text: string): string {
	return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, (character) => {
		return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
	});
}
