import { isPrintableAscii } from './ascii.ts';

/**
 * Whether a text is one line that people can read, in any script. It may be empty. Some scripts and emoji need joiners
 * (U+200C, U+200D) and variation selectors; everything else that is invisible could change how the line looks. U+FFFD stands
 * for bytes that were not UTF-8.
 */
export function isReadable(text: string): boolean {
	if (isPrintableAscii(text)) return true;
	return /^(?:[^\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufffd]|\u200c|\u200d|\p{Variation_Selector})*$/u.test(
		text,
	);
}

/** Whether people see a character of it. U+2800 is a Braille cell without dots. */
export function isSeen(text: string): boolean {
	return /[^\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
}

/** Whether it is one word, and people see each character of it. */
export function isSeenWord(text: string): boolean {
	if (isPrintableAscii(text)) return /^[^ ]+$/.test(text);
	return /^[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\ufffd]+$/u.test(text);
}
