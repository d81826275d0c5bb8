import type { DayCorrection, DayOfAccount, DayOfBandwidth } from '@bursar/contract/dashboard';
import { MAX_BYTES } from '@bursar/contract/limits';
import { normalizeUsername } from '@bursar/contract/username';
import { isDay } from '../../format/days.ts';
import { readDigits } from '../../format/number.ts';
import { plainReference } from '../../forms/plain-reference.ts';

/** A correction as it stands in the fields of a form. */
export interface TypedCorrection {
	readonly reseller: string;
	readonly username: string;
	/** Like `2026-11-21`. */
	readonly day: string;
	readonly direction: 'take' | 'add';
	/** Bytes. Empty: none. */
	readonly up: string;
	readonly down: string;
	readonly reference: string;
	readonly reason: string;
}

/** The day that the fields name; `undefined` until all three are right. */
export function namedDay({ reseller, username, day }: TypedCorrection): DayOfAccount | undefined {
	const names = { reseller: normalizeUsername(reseller), username: normalizeUsername(username) };
	if (names.reseller === undefined || names.username === undefined || !isDay(day)) return undefined;
	return { reseller: names.reseller, username: names.username, day };
}

/** Bytes as they were typed: a whole number. Nothing is 0; anything else is `undefined`. */
export function typedBytes(text: string): number | undefined {
	if (text.trim() === '') return 0;
	const { whole = '', part } = readDigits(text.trim(), 1) ?? {};
	return part === '' && Number(whole) <= MAX_BYTES ? Number(whole) : undefined;
}

/** What would be added; below zero if it is taken away. `undefined` if that is nothing, or no number. */
export function changeOf({ direction, up, down }: TypedCorrection): DayOfBandwidth | undefined {
	const [bytesUp, bytesDown] = [typedBytes(up), typedBytes(down)];
	if (bytesUp === undefined || bytesDown === undefined || bytesUp + bytesDown === 0) return undefined;
	return direction === 'add' ? { up: bytesUp, down: bytesDown } : { up: 0 - bytesUp, down: 0 - bytesDown };
}

/** The day after a change, or why it cannot be so. */
export function dayAfter(before: DayOfBandwidth, change: DayOfBandwidth): DayOfBandwidth | 'too_few' | 'too_many' {
	const after = { up: before.up + change.up, down: before.down + change.down };
	if (after.up < 0 || after.down < 0) return 'too_few';
	return after.up > MAX_BYTES || after.down > MAX_BYTES ? 'too_many' : after;
}

/** The correction that the fields say; `undefined` until all of them are right. */
export function correctionOf(typed: TypedCorrection): DayCorrection | undefined {
	const day = namedDay(typed);
	const change = changeOf(typed);
	const [reference, reason] = [plainReference(typed.reference), typed.reason.trim()];
	if (!day || !change || reference === '' || reason === '') return undefined;
	return { ...day, ...change, reference, reason };
}
