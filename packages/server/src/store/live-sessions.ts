import { SESSION_IDLE_MS, SESSION_LIFE_MS } from '../domain/people/person.ts';

/** The condition for a live session (`isLiveSession`), with `liveSessionsAt` as its first values. */
export const LIVE_SESSIONS =
	'last_seen_at_ms > $1 AND last_seen_at_ms < $2 AND signed_in_at_ms > $3 AND signed_in_at_ms < $4';

/** `nowMs` is in Unix milliseconds. */
export function liveSessionsAt(nowMs: number): readonly [number, number, number, number] {
	return [nowMs - SESSION_IDLE_MS, nowMs + SESSION_IDLE_MS, nowMs - SESSION_LIFE_MS, nowMs + SESSION_LIFE_MS];
}
