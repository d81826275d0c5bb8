import type { DailyUsage } from '@bursar/client';
import { byteWords, dayWords } from './units.ts';

const DAY_MS = 86_400_000;
/** As many as the API tells, counted with today. */
const MOST_DAYS = 90;
const DOWN = '█';
const UP = '░';
const LABEL_WIDTH = '2026-11-21'.length;
const VALUE_WIDTH = '999 MB'.length + 1;
const SHORTEST_BAR = 10;

/**
 * A bar for each UTC day from the first day with usage until today, also for days without usage, for 90 days at most. The
 * longest bar fits the width. The lengths are in proportion to the bytes.
 */
export function usageChart(days: readonly DailyUsage[], width: number, today: Date): string[] {
	const first = days[0];
	const last = days.at(-1);
	if (first === undefined || last === undefined) return [];
	const byDay = new Map(days.map((usage) => [usage.day.getTime(), usage]));
	const barWidth = Math.max(SHORTEST_BAR, width - LABEL_WIDTH - VALUE_WIDTH - 4);
	const most = Math.max(1, ...days.map(totalBytes));

	const lines = [`${DOWN} down  ${UP} up   linear, the longest bar is ${byteWords(most)}`, ''];
	const endMs = Math.max(last.day.getTime(), today.getTime());
	const lastDayMs = Math.floor(endMs / DAY_MS) * DAY_MS;
	const startMs = Math.max(first.day.getTime(), lastDayMs - (MOST_DAYS - 1) * DAY_MS);
	for (let atMs = startMs; atMs <= endMs; atMs += DAY_MS) {
		const usage = byDay.get(atMs) ?? { day: new Date(atMs), bytesUp: 0, bytesDown: 0 };
		const bar = usageBar(usage, barWidth / most).padEnd(barWidth);
		lines.push(`${dayWords(usage.day)}  ${bar}  ${byteWords(totalBytes(usage)).padStart(VALUE_WIDTH)}`);
	}
	return lines;
}

/** The smallest usage still shows. The part up is the rest of the bar, so that the whole bar is in proportion. */
function usageBar(usage: DailyUsage, cellsPerByte: number): string {
	const total = totalBytes(usage);
	if (total === 0) return '';
	const cells = Math.max(1, Math.round(total * cellsPerByte));
	const down = Math.round((cells * usage.bytesDown) / total);
	return DOWN.repeat(down) + UP.repeat(cells - down);
}

function totalBytes({ bytesUp, bytesDown }: DailyUsage): number {
	return bytesUp + bytesDown;
}
