import { SESSION_IDLE_MS, SESSION_LIFE_MS } from '../../../domain/people/person.ts';

/** The condition for a live session (`isLiveSession`). `liveSessionsAt` has the values for its four times. */
export function liveSessions(seenAfter: string, seenBefore: string, signedInAfter: string, signedInBefore: string) {
	return `last_seen_at_ms > ${seenAfter} AND last_seen_at_ms < ${seenBefore}
		AND signed_in_at_ms > ${signedInAfter} AND signed_in_at_ms < ${signedInBefore}`;
}

/** The condition with `liveSessionsAt` as its first values. */
export const LIVE_SESSIONS = liveSessions('$1', '$2', '$3', '$4');

/** `nowMs` is in Unix milliseconds. */
export function liveSessionsAt(nowMs: number): readonly [number, number, number, number] {
	return [nowMs - SESSION_IDLE_MS, nowMs + SESSION_IDLE_MS, nowMs - SESSION_LIFE_MS, nowMs + SESSION_LIFE_MS];
}
