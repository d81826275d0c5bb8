import type { EventType } from '@bursar/contract/events';
import { type EventCursor, type EventLog, eventCursorText, refusalOfCursor } from '../../domain/events/cursor.ts';
import { eventText } from '../../domain/events/event-text.ts';
import type { EventReads } from '../../store/tables/events/events.ts';

/**
 * How many events one read of the store has: about a millisecond of an embedded one.
 * @bound Events that are read at once: the next step has the rest.
 */
const EVENTS_IN_A_STEP = 100;
/** @bound Steps of a page of events: the page ends, and the next one goes on. */
const STEPS_OF_A_PAGE = 10;
/**
 * With the events of one more step, a page has half a MiB at most: clients refuse larger answers.
 * @bound Characters of the events of a page, without those of its last step: the page ends, and the next one goes on.
 */
const PAGE_CHARACTERS = 256 * 1024;

export interface EventPage {
	/** As JSON. */
	readonly events: readonly string[];
	/** The place behind the last event that the page has looked at. */
	readonly next: EventCursor;
	/** Whether the log goes on behind that place. */
	readonly more: boolean;
}

/** Why there is no page, and which events there are. */
export interface RefusedPlace extends Pick<EventLog, 'oldest' | 'newest'> {
	readonly refused: 'events_expired' | 'events_rewound';
}

interface EventQuery {
	readonly reseller: string;
	/** `undefined`: before the oldest event that is kept. */
	readonly after: EventCursor | undefined;
	readonly limit: number;
	readonly types: ReadonlySet<EventType> | undefined;
}

/** Reads events behind a place, the oldest first. Each step is a read of its own, so that others have their turns between. */
export async function readEventPage(
	store: Pick<EventReads, 'readEvents'>,
	{ reseller, after, limit, types }: EventQuery,
): Promise<EventPage | RefusedPlace> {
	const events: string[] = [];
	let characters = 0;
	let next = after;
	let more = true;
	for (let step = 0; more && step < STEPS_OF_A_PAGE && events.length < limit && characters < PAGE_CHARACTERS; step++) {
		const most = types ? EVENTS_IN_A_STEP : Math.min(EVENTS_IN_A_STEP, limit - events.length);
		const log = await readLog(store, reseller, next?.number ?? 0, most);
		next ??= { number: log.oldest - 1 };
		const refused = refusalOfCursor(next, log);
		if (refused) return { ...log, refused };
		// A bare number becomes a guarded place.
		next = { number: next.number, id: next.id ?? log.idAt ?? undefined };
		for (const event of log.events) {
			if (events.length === limit) break;
			if (event.number !== next.number + 1) throw new Error('the log of a reseller has a gap');
			next = { number: event.number, id: event.id };
			if (types && !types.has(event.type)) continue;
			const text = eventText(event);
			characters += text.length;
			events.push(text);
		}
		more = next.number < log.newest;
	}
	return { events, next: next as EventCursor, more };
}

/** An empty page at the end of the log. */
export async function readNewestPlace(store: Pick<EventReads, 'readEvents'>, reseller: string): Promise<EventPage> {
	const { newest: number } = await readEndsOfLog(store, reseller);
	const { idAt, newest } = await readLog(store, reseller, number, 1);
	return { events: [], next: { number, id: idAt ?? undefined }, more: newest > number };
}

/** Reads which events there are. */
export function readEndsOfLog(store: Pick<EventReads, 'readEvents'>, reseller: string): Promise<EventLog> {
	return readLog(store, reseller, Number.MAX_SAFE_INTEGER, 1);
}

async function readLog(store: Pick<EventReads, 'readEvents'>, reseller: string, after: number, limit: number) {
	const log = await store.readEvents({ reseller, after, limit });
	if (!log) throw new Error('an authenticated reseller has no account');
	return log;
}

/** A page in the form of docs/api.md 12.1, as JSON. */
export function eventPageText({ events, next, more }: EventPage): string {
	return `{"events":[${events.join()}],"next":"${eventCursorText(next)}","more":${more}}`;
}
