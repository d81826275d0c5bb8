import { isPrintableAscii } from './ascii.ts';

/**
 * Replaces each character that could steer a terminal by `\uXXXX`. JSON escapes it in the same way, so a JSON text
 * keeps its value.
 */
export function visible(text: string): string {
	if (isPrintableAscii(text)) return text;
	// Control characters, characters that change the writing direction or are invisible, and line ends.
	return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) =>
		character
			.split('')
			.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
			.join(''),
	);
}
