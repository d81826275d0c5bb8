import { MAX_NOTE_CHARACTERS } from '@bursar/contract/limits';
import { isReadable, isSeen } from '@bursar/contract/readable';

/** Whether this may be a note, or the reason of a change. It is for people. It may be empty, unless it is needed. */
export function isShortText(text: string, isNeeded: boolean): boolean {
	if (isNeeded && !isSeen(text)) return false;
	return [...text].length <= MAX_NOTE_CHARACTERS && isReadable(text);
}
