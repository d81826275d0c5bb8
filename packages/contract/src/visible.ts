/** Control characters, characters that change the writing direction or are invisible, and line ends. */
const STEERING_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Replaces each character that could steer a terminal by `\uXXXX`. JSON escapes it in the same way, so a JSON text
 * keeps its value.
 */
export function visible(text: string): string {
	return text.replace(STEERING_CHARACTERS, (character) =>
		character
			.split('')
			.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
			.join(''),
	);
}
