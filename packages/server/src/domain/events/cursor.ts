import { cursorText, isRewound, readCursor } from '../cursor.ts';

/** A place in the log of a reseller: behind an event. */
export interface EventCursor {
	/** The number of the event; 0 for the beginning of the log. */
	readonly number: number;
	/** Its id, if the place is guarded: a log that was restored has another one there. */
	readonly id?: string | undefined;
}

/** What a look at a log tells about a place. */
export interface EventLog {
	/** The number of the newest event; 0 if there is none yet. */
	readonly newest: number;
	/** The number of the oldest one that is kept, or of the next one if none is. */
	readonly oldest: number;
	/** The id of the event at the place, if it is kept. */
	readonly idAt: string | null;
}

/**
 * Why a reader cannot go on from a place. `events_expired`: the next events were forgotten. `events_rewound`: the log does
 * not have what the reader has seen, because the store was restored, or a failover has lost it.
 */
export function refusalOfCursor(
	{ number, id }: EventCursor,
	{ newest, oldest, idAt }: EventLog,
): 'events_expired' | 'events_rewound' | undefined {
	if (isRewound({ number, guard: id }, { newest, guardAt: idAt })) return 'events_rewound';
	return number + 1 < oldest ? 'events_expired' : undefined;
}

/** The place as readers keep it: `NUMBER-ID`, or `0`. */
export function eventCursorText({ number, id }: EventCursor): string {
	return cursorText({ number, guard: id });
}

/** Reads a place. `undefined` if the text has another form. */
export function readEventCursor(text: string): EventCursor | undefined {
	const cursor = readCursor(text, /^evt_[0-9A-Za-z]{22}$/);
	return cursor && { number: cursor.number, id: cursor.guard };
}
