import type { BandwidthTime } from '@bursar/contract/dashboard';
import { USAGE_SHOWN_DAYS } from '@bursar/contract/limits';
import { startOfDayMs, usageDayOf } from '../../domain/usage.ts';
import { startOfHourMs, usageHourOf } from '../../domain/usage-hours.ts';
import type { BandwidthSpans } from '../../store/tables/usage/bandwidth.ts';

/** The hours or days that a page or a program asks for. */
export interface AskedSpans extends BandwidthSpans {
	/** Whether the last one is not over yet. */
	readonly goesOn: boolean;
}

const HOURS_OF_DAY = 24;
/**
 * Hours of these days can be shown, today included: they are kept for a day longer.
 * @bound Days whose bandwidth is shown by the hour: a request for more is refused.
 */
const DAYS_BY_HOUR = 7;

/** Returns `undefined` if the range does not exist, or has no hours any more. `nowMs`: Unix milliseconds. */
export function askedSpans({ range, unit }: BandwidthTime, nowMs: number): AskedSpans | undefined {
	const hour = usageHourOf(nowMs);
	if (range === '24h') {
		return unit === 'day' ? undefined : { unit: 'hour', first: hour - (HOURS_OF_DAY - 1), last: hour, goesOn: true };
	}
	const days = daysOf(range, usageDayOf(nowMs));
	if (!days) return undefined;
	const goesOn = days.last === usageDayOf(nowMs);
	if (unit !== 'hour') return { unit: 'day', ...days, goesOn };
	if (days.first <= usageDayOf(nowMs) - DAYS_BY_HOUR) return undefined;
	const last = Math.min(days.last * HOURS_OF_DAY + (HOURS_OF_DAY - 1), hour);
	return { unit: 'hour', first: days.first * HOURS_OF_DAY, last, goesOn };
}

function daysOf(range: string, today: number): { readonly first: number; readonly last: number } | undefined {
	const [, lastDays] = /^(7|30|90)d$/.exec(range) ?? [];
	if (lastDays !== undefined) return { first: today - (Number(lastDays) - 1), last: today };
	const [, from, to] = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/.exec(range) ?? [];
	const [first, last] = [dayOf(from), dayOf(to)];
	if (first === undefined || last === undefined) return undefined;
	return first > today - USAGE_SHOWN_DAYS && first <= last && last <= today ? { first, last } : undefined;
}

/** The UTC day of a text like `2026-11-20`, if there is such a day. */
function dayOf(text: string | undefined): number | undefined {
	const ms = Date.parse(`${text}T00:00:00.000Z`);
	if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== text) return undefined;
	return usageDayOf(ms);
}

/** When an hour or a day begins, in Unix milliseconds. */
export function startOfSpanMs(unit: BandwidthSpans['unit'], span: number): number {
	return unit === 'hour' ? startOfHourMs(span) : startOfDayMs(span);
}

/** The UTC days in which hours or days lie. */
export function daysOfSpans({ unit, first, last }: BandwidthSpans): {
	readonly firstDay: number;
	readonly lastDay: number;
} {
	if (unit === 'day') return { firstDay: first, lastDay: last };
	return { firstDay: Math.floor(first / HOURS_OF_DAY), lastDay: Math.floor(last / HOURS_OF_DAY) };
}
