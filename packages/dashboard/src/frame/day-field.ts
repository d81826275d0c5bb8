import { isDay } from '../format/days.ts';
import type { UrlField } from './url-state.ts';

/** A day in the time zone of the browser, like `2026-05-03`. */
export const dayField: UrlField<string | undefined> = {
	parse: (text) => (text !== null && isDay(text) ? text : undefined),
	write: (day) => day ?? null,
};
