import type { CurrentToken } from '@bursar/contract/dashboard';

/**
 * Whether a change of the token happened whose answer was lost.
 * - `unread`: the token was not read since the answer was lost.
 * - `happened`: the token was changed by this person since.
 * - `changed_by_other`: somebody else changed it since. What happened to this change cannot be told, and does not matter:
 *   its token would be replaced or ended.
 * - `not_yet`: nothing has changed so far, but the change may still be on its way through the server.
 * - `not_happened`: nothing has changed, and the server begins no change that waited this long.
 */
export type RotationVerdict = 'unread' | 'happened' | 'changed_by_other' | 'not_yet' | 'not_happened';

/** The server begins no change that has waited for 5 seconds (docs/bounds.md). One more is for its commit. */
const SURE_AFTER_MS = 6_000;

export interface LostRotation {
	/** The token before the change was sent. */
	readonly before: CurrentToken;
	/** The token as it was read after the answer was lost. */
	readonly after: CurrentToken;
	/** The e-mail address of the person who asked for the change. */
	readonly email: string;
	/** How long after the loss `after` was read. Negative if it was read before. */
	readonly readAfterMs: number;
	/** Whether the server has said that it had done this very change before. */
	readonly isRepeated: boolean;
}

export function rotationVerdict({ before, after, email, readAfterMs, isRepeated }: LostRotation): RotationVerdict {
	if (readAfterMs < 0) return 'unread';
	const changed = after.tail !== before.tail || after.made !== before.made;
	if (changed && after.made_by !== email) return 'changed_by_other';
	if (changed || isRepeated) return 'happened';
	return readAfterMs < SURE_AFTER_MS ? 'not_yet' : 'not_happened';
}
