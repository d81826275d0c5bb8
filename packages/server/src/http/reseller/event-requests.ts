import { EVENT_TYPES, type EventType } from '@bursar/contract/events';
import { MAX_EVENT_WAIT_SECONDS } from '@bursar/contract/limits';
import type { FastifyRequest } from 'fastify';
import { type EventCursor, readEventCursor } from '../../domain/events/cursor.ts';
import { eventTypesOf } from '../../domain/events/event-types.ts';
import { type Intake, type Refused, readBody } from './sub-user-request.ts';
import { limitOf, WRONG_LIMIT, wrong } from './terms-requests.ts';

/** Which page of events the body names. */
export interface WantedEvents {
	/** `undefined`: from the oldest event that is kept. */
	readonly after: EventCursor | 'newest' | undefined;
	readonly limit: number;
	/** `undefined`: all. */
	readonly types: ReadonlySet<EventType> | undefined;
	readonly waitMs: number;
}

export function readEventPageRequest(request: FastifyRequest, intake: Intake): WantedEvents | Refused {
	const body = readBody(request, intake);
	if ('refused' in body) return body;
	const { after = null, types, wait_seconds = 0 } = body.value;
	const limit = limitOf(body.value);
	if (limit === undefined) return WRONG_LIMIT;
	const place = after === null || after === 'newest' ? after : cursorIn(after);
	if (place === undefined) return wrong('after', 'must be the next of the previous page, a number, newest, or null');
	const known = types === undefined ? undefined : typesIn(types);
	if (types !== undefined && !known)
		return wrong('types', `must be a list of some of ${EVENT_TYPES.join(', ')}, each once`);
	if (!isWait(wait_seconds)) return wrong('wait_seconds', `must be an integer from 0 to ${MAX_EVENT_WAIT_SECONDS}`);
	return { after: place ?? undefined, limit, types: known && new Set(known), waitMs: wait_seconds * 1000 };
}

export function cursorIn(value: unknown): EventCursor | undefined {
	return typeof value === 'string' || typeof value === 'number' ? readEventCursor(String(value)) : undefined;
}

/** `undefined` if they are not 1 to all of the types, each once. */
export function typesIn(value: unknown): readonly EventType[] | undefined {
	return Array.isArray(value) ? eventTypesOf(value) : undefined;
}

function isWait(value: unknown): value is number {
	return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_EVENT_WAIT_SECONDS;
}
