import { isPrintableAscii } from '@bursar/contract/ascii';

/** The most characters of a reason. */
const MAX_REASON_CHARACTERS = 200;

/** A character that people see. Spaces, U+200C and U+200D alone are no reason. */
const VISIBLE = /[^\s\u200c\u200d]/u;

/** Whether this may be the reason of a change. It is for people. It may be empty, unless it is needed. */
export function isReason(text: string, isNeeded: boolean): boolean {
	if (isNeeded && !VISIBLE.test(text)) return false;
	return [...text].length <= MAX_REASON_CHARACTERS && (isPrintableAscii(text) || isReadable(text));
}

/**
 * Whether people can read it, in any script: two kinds of it need U+200C or U+200D. Everything else that is invisible
 * could change how the line looks. U+FFFD stands for bytes that were not UTF-8.
 */
function isReadable(text: string): boolean {
	return /^(?:[^\p{C}\p{Zl}\p{Zp}\ufffd]|[\u200c\u200d])*$/u.test(text);
}
