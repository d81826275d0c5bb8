import { normalizeAllowedIp } from '@bursar/contract/allowed-ips';
import type { SubUserLimits } from '@bursar/contract/dashboard';
import {
	MAX_ALLOWED_IPS,
	MAX_BYTES,
	MAX_BYTES_PER_SECOND,
	MAX_CONNECTIONS,
	MIN_BYTES_PER_SECOND,
} from '@bursar/contract/limits';
import { LIMIT_NAMES } from '@bursar/contract/sub-user-terms';
import { dayAndTimeOf, isDay, momentAt } from '../../format/days.ts';
import { readDigits, typedDigits } from '../../format/number.ts';

/** The limits as they stand in the fields of a form. An empty text is no limit. */
export interface LimitTexts {
	/** GB (10^9 bytes). */
	readonly day_bytes: string;
	readonly month_bytes: string;
	readonly total_bytes: string;
	readonly connections: string;
	/** Mbit/s. */
	readonly bytes_per_second: string;
	/** One a line. */
	readonly allowed_ips: string;
	/** A day and a time in the time zone of the pages, like `2026-12-31` and `23:00:00`. */
	readonly expires_on: string;
	readonly expires_at: string;
	/** Confirms an end in the past: the proxies then refuse the sub-user at once. */
	readonly ends_now: boolean;
}

export type LimitName = keyof SubUserLimits;
export const LIMITS = LIMIT_NAMES;

export type LimitProblem =
	| { readonly problem: 'bytes' | 'connections' | 'speed' | 'too_many_addresses' | 'date' | 'time' }
	/** An end in the past that is not confirmed. */
	| { readonly problem: 'past'; readonly end: string }
	| { readonly problem: 'address'; readonly line: number };

/** The limit that each field says, `null` for none, or what is wrong in the field. */
export type TypedLimits = {
	readonly [Name in LimitName]:
		| { readonly state: 'right'; readonly limit: SubUserLimits[Name] }
		| ({ readonly state: 'wrong' } & LimitProblem);
};

export function limitTexts(limits: SubUserLimits): LimitTexts {
	const bytes = (limit: number | null) => (limit === null ? '' : typedGb(limit));
	const end = limits.expires_at === null ? { day: '', time: '' } : dayAndTimeOf(limits.expires_at);
	return {
		day_bytes: bytes(limits.day_bytes),
		month_bytes: bytes(limits.month_bytes),
		total_bytes: bytes(limits.total_bytes),
		connections: limits.connections === null ? '' : String(limits.connections),
		bytes_per_second: limits.bytes_per_second === null ? '' : typedMbit(limits.bytes_per_second),
		allowed_ips: limits.allowed_ips?.join('\n') ?? '',
		expires_on: end.day,
		expires_at: end.time,
		// An end that holds already needs no confirmation.
		ends_now: true,
	};
}

/** `nowMs` is the server's time. */
export function typedLimits(texts: LimitTexts, nowMs: number): TypedLimits {
	return {
		day_bytes: typedBytes(texts.day_bytes),
		month_bytes: typedBytes(texts.month_bytes),
		total_bytes: typedBytes(texts.total_bytes),
		connections: typedConnections(texts.connections),
		bytes_per_second: typedSpeed(texts.bytes_per_second),
		allowed_ips: typedAddresses(texts.allowed_ips),
		expires_at: typedExpiry(texts, nowMs),
	};
}

/** The limits whose fields were changed, which are all that is sent; `undefined` if one of them is wrong. */
export function changedLimits(
	before: LimitTexts,
	texts: LimitTexts,
	nowMs: number,
): Partial<SubUserLimits> | undefined {
	const names = LIMITS.filter((name) => isChanged(name, before, texts));
	return chosenLimits(names, texts, nowMs);
}

/** The limits with these names; `undefined` if one of them is wrong. */
export function chosenLimits(
	names: readonly LimitName[],
	texts: LimitTexts,
	nowMs: number,
): Partial<SubUserLimits> | undefined {
	const typed = typedLimits(texts, nowMs);
	const chosen: [LimitName, unknown][] = [];
	for (const name of names) {
		const limit = typed[name];
		if (limit.state === 'wrong') return undefined;
		chosen.push([name, limit.limit]);
	}
	return Object.fromEntries(chosen) as Partial<SubUserLimits>;
}

function isChanged(name: LimitName, before: LimitTexts, texts: LimitTexts): boolean {
	return before[name] !== texts[name] || (name === 'expires_at' && before.expires_on !== texts.expires_on);
}

const GB_DECIMALS = 9;
const MBIT_DECIMALS = 6;

/** Bytes as GB, exactly and without zeros at the end. */
export function typedGb(bytes: number): string {
	return typedUnits(BigInt(bytes), GB_DECIMALS);
}

/** Bytes a second as Mbit/s, in the same way. */
export function typedMbit(bytesPerSecond: number): string {
	return typedUnits(BigInt(bytesPerSecond) * 8n, MBIT_DECIMALS);
}

function typedUnits(count: bigint, decimals: number): string {
	const digits = String(count).padStart(decimals + 1, '0');
	return typedDigits({ whole: digits.slice(0, -decimals), part: digits.slice(-decimals).replace(/0+$/, '') });
}

/** Digits become an integer directly, never a fraction. */
export function parseGb(text: string): number | undefined {
	const bytes = parseUnits(text, GB_DECIMALS);
	return bytes !== undefined && bytes >= 1n && bytes <= BigInt(MAX_BYTES) ? Number(bytes) : undefined;
}

function parseUnits(text: string, decimals: number): bigint | undefined {
	const typed = readDigits(text.trim(), decimals);
	return typed && BigInt(typed.whole + typed.part.padEnd(decimals, '0'));
}

function typedBytes(text: string): TypedLimits['day_bytes'] {
	if (text.trim() === '') return none;
	const bytes = parseGb(text);
	return bytes === undefined ? { state: 'wrong', problem: 'bytes' } : { state: 'right', limit: bytes };
}

function typedConnections(text: string): TypedLimits['connections'] {
	if (text.trim() === '') return none;
	const count = /^\d{1,7}$/.test(text.trim()) ? Number(text) : 0;
	if (count < 1 || count > MAX_CONNECTIONS) return { state: 'wrong', problem: 'connections' };
	return { state: 'right', limit: count };
}

function typedSpeed(text: string): TypedLimits['bytes_per_second'] {
	if (text.trim() === '') return none;
	const speed = Number((parseUnits(text, MBIT_DECIMALS) ?? 0n) / 8n);
	if (speed < MIN_BYTES_PER_SECOND || speed > MAX_BYTES_PER_SECOND) return { state: 'wrong', problem: 'speed' };
	return { state: 'right', limit: speed };
}

export function typedAddresses(text: string): TypedLimits['allowed_ips'] {
	const lines = text.split('\n').map((line) => line.trim());
	const wrong = lines.findIndex((line) => line !== '' && normalizeAllowedIp(line) === undefined);
	if (wrong !== -1) return { state: 'wrong', problem: 'address', line: wrong + 1 };
	const addresses = [...new Set(lines.filter((line) => line !== '').map((line) => normalizeAllowedIp(line) ?? line))];
	if (addresses.length > MAX_ALLOWED_IPS) return { state: 'wrong', problem: 'too_many_addresses' };
	return addresses.length === 0 ? none : { state: 'right', limit: addresses };
}

/** Without a time, it is the end of the day. */
function typedExpiry({ expires_on, expires_at, ends_now }: LimitTexts, nowMs: number): TypedLimits['expires_at'] {
	const [day, time] = [expires_on.trim(), expires_at.trim()];
	if (day === '' && time === '') return none;
	const end = momentAt(day, time);
	if (end === undefined) return { state: 'wrong', problem: isDay(day) ? 'time' : 'date' };
	// The service knows the years from 1970 to 9999.
	if (Date.parse(end) < 1 || !/^\d{4}-/.test(end)) return { state: 'wrong', problem: 'date' };
	if (Date.parse(end) <= nowMs && !ends_now) return { state: 'wrong', problem: 'past', end };
	return { state: 'right', limit: end };
}

const none = { state: 'right', limit: null } as const;
