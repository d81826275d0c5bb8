import { isReadable, isSeen } from '@bursar/contract/readable';

/** The most characters of a reason. */
const MAX_REASON_CHARACTERS = 200;

/** Whether this may be the reason of a change. It is for people. It may be empty, unless it is needed. */
export function isReason(text: string, isNeeded: boolean): boolean {
	if (isNeeded && !isSeen(text)) return false;
	return [...text].length <= MAX_REASON_CHARACTERS && isReadable(text);
}
