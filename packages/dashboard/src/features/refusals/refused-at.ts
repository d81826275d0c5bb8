import { clockText, momentText, shortLocalDayText } from '../../format/time.ts';

/** When something was refused: the time alone if it was today. Both are the server's times. */
export function refusedAt(at: string, nowMs: number): string {
	const isToday = shortLocalDayText(at) === shortLocalDayText(new Date(nowMs).toISOString());
	return isToday ? clockText(at) : momentText(at);
}
