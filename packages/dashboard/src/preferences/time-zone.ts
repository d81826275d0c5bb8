import { keptChoice } from './kept-choice.ts';

/** Whether the pages show UTC. Otherwise they show the time zone of the browser. */
export const isUtc = keptChoice('time-zone') === 'utc';

/** Has `Intl` write times in the time zone of the pages. */
export const zoneOption: Intl.DateTimeFormatOptions = isUtc ? { timeZone: 'UTC' } : {};
