import { MAX_BRAND_NAME_CHARACTERS, MAX_LETTERHEAD_CHARACTERS } from './limits.ts';
import { isReadable, isSeen } from './readable.ts';

/** Whether this may be the name of the service: people see it, in one line, and it does not change how the line looks. */
export function isBrandName(text: string): boolean {
	return isLine(text, MAX_BRAND_NAME_CHARACTERS) && isSeen(text);
}

/** Whether this is a colour like `#4263eb`. */
export function isBrandColor(text: string): boolean {
	return /^#[0-9a-f]{6}$/i.test(text);
}

/** Whether this may be a line of the letterhead. It may be empty. */
export function isLetterheadLine(text: string): boolean {
	return isLine(text, MAX_LETTERHEAD_CHARACTERS) && (text === '' || isSeen(text));
}

function isLine(text: string, most: number): boolean {
	return text === text.trim() && [...text].length <= most && isReadable(text);
}
