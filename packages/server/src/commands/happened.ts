import type { EventData, EventType } from '@bursar/contract/events';
import type { Effect } from '../domain/books.ts';
import type { Happening } from '../domain/events/happening.ts';
import type { ResellersChange } from './command.ts';

/** Tells the reseller what a command has done: to itself, or to the sub-user `username`. */
export function happened<Type extends EventType>(
	{ reseller, requestId, changeId }: ResellersChange,
	atMs: number,
	type: Type,
	data: EventData[Type],
	username?: string,
): Effect {
	const happening = { type, reseller, username, data, atMs, cause: { requestId, changeId } } as Happening;
	return { kind: 'happened', happening };
}
