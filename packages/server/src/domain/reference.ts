const MAX_CHARACTERS = 200;
/** Characters that can be seen. U+FFFD is none of them: it stands for bytes that were not UTF-8. */
const VISIBLE = /^[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\ufffd]+$/u;

/**
 * Whether a payment may have that name. Two names that look alike must not be two payments. So nothing may stand in it
 * that cannot be seen, spaces only one by one between words, and of several forms of a character only that of NFKC.
 */
export function isReference(text: string): boolean {
	if ([...text].length > MAX_CHARACTERS || text !== text.normalize('NFKC')) return false;
	return text.split(' ').every((word) => VISIBLE.test(word));
}
