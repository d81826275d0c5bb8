import { MAX_TOKEN_DAYS } from '@bursar/contract/limits';
import { isDay, momentAt } from '../../format/days.ts';

const DAY_MS = 86_400_000;

/** Days for which a token may live, to choose from. */
export const LIVES = ['30', '90', '365'] as const;

/** How the end of a token was chosen: after so many days, or with the end of a day. */
export interface ChosenEnd {
	readonly life: (typeof LIVES)[number] | 'day';
	/** A day in the time zone of the pages, like `2027-06-30`. */
	readonly day: string;
}

/** The end as ISO 8601 in UTC, or why there is none. `nowMs` is the server's time. */
export function endOf(
	{ life, day }: ChosenEnd,
	nowMs: number,
): { readonly at: string } | { readonly wrong: EndProblem } {
	if (life !== 'day') return { at: new Date(nowMs + Number(life) * DAY_MS).toISOString() };
	const at = isDay(day) ? momentAt(day, '') : undefined;
	if (at === undefined) return { wrong: 'none' };
	if (Date.parse(at) <= nowMs) return { wrong: 'past' };
	return Date.parse(at) > nowMs + MAX_TOKEN_DAYS * DAY_MS ? { wrong: 'far' } : { at };
}

type EndProblem = 'none' | 'past' | 'far';
