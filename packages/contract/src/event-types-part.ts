import Type from 'typebox';
import { EVENT_TYPES } from './events.ts';

/** A list of types of events, in the schemas of events and of webhooks. */
export const EventTypes = (description: string) =>
	Type.Array(Type.Enum([...EVENT_TYPES]), {
		minItems: 1,
		maxItems: EVENT_TYPES.length,
		uniqueItems: true,
		description,
	});
