/** Control characters; those that change the direction of writing, or cannot be seen at all; and line ends. */
const STEERING_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * The text without what could steer a terminal: each such character becomes `\uXXXX`. That is how JSON escapes it
 * too, so the text of a JSON value stays the same value.
 */
export function visible(text: string): string {
	return text.replace(STEERING_CHARACTERS, (character) =>
		character
			.split('')
			.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
			.join(''),
	);
}
