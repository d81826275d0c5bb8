import { EVENT_TYPES, type EventType } from '@bursar/contract/events';

/** The types in the order of the contract. `undefined` if one is unknown or named twice, or if there is none. */
export function eventTypesOf(types: readonly string[]): readonly EventType[] | undefined {
	const known = EVENT_TYPES.filter((type) => types.includes(type));
	return known.length === types.length && known.length > 0 ? known : undefined;
}
