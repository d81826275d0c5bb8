import { isPrintableAscii } from '@bursar/contract/ascii';

const MAX_CHARACTERS = 200;
/**
 * Whether a payment may have this name. Two names that look alike must not be two payments. So all characters must be
 * visible and in NFKC form, with single spaces between words.
 */
export function isReference(text: string): boolean {
	if ([...text].length > MAX_CHARACTERS || text !== text.normalize('NFKC')) return false;
	const words = text.split(' ');
	return isPrintableAscii(text) ? !words.includes('') : words.every(isVisible);
}

/** U+FFFD is excluded: it stands for bytes that were not UTF-8. */
function isVisible(word: string): boolean {
	return /^[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\ufffd]+$/u.test(word);
}
