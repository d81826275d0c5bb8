import { normalizeAllowedIp } from '@bursar/contract/allowed-ips';
import type { SubUserLimits } from '@bursar/contract/dashboard';
import { MAX_ALLOWED_IPS, MAX_BYTES, MAX_CONNECTIONS } from '@bursar/contract/limits';
import { readDigits, typedDigits } from '../../format/number.ts';

/** The limits as they stand in the fields of a form. An empty text is no limit. */
export interface LimitTexts {
	/** GB (10^9 bytes). */
	readonly day_bytes: string;
	readonly month_bytes: string;
	readonly total_bytes: string;
	readonly connections: string;
	/** One a line. */
	readonly allowed_ips: string;
	/** A date and a time in UTC, like `2026-12-31` and `23:00:00`. */
	readonly expires_on: string;
	readonly expires_at: string;
}

export type LimitName = keyof SubUserLimits;
export const LIMITS = ['day_bytes', 'month_bytes', 'total_bytes', 'connections', 'allowed_ips', 'expires_at'] as const;

export type LimitProblem =
	| { readonly problem: 'bytes' | 'connections' | 'too_many_addresses' | 'date' | 'time' }
	| { readonly problem: 'address'; readonly line: number };

/** What the fields say: a limit, `null` for none, or why it can be neither. */
export type TypedLimits = {
	readonly [Name in LimitName]:
		| { readonly state: 'right'; readonly limit: SubUserLimits[Name] }
		| ({ readonly state: 'wrong' } & LimitProblem);
};

export function limitTexts(limits: SubUserLimits): LimitTexts {
	const bytes = (limit: number | null) => (limit === null ? '' : typedGb(limit));
	return {
		day_bytes: bytes(limits.day_bytes),
		month_bytes: bytes(limits.month_bytes),
		total_bytes: bytes(limits.total_bytes),
		connections: limits.connections === null ? '' : String(limits.connections),
		allowed_ips: limits.allowed_ips?.join('\n') ?? '',
		expires_on: limits.expires_at?.slice(0, 10) ?? '',
		expires_at: limits.expires_at?.slice(11, 19) ?? '',
	};
}

export function typedLimits(texts: LimitTexts): TypedLimits {
	return {
		day_bytes: typedBytes(texts.day_bytes),
		month_bytes: typedBytes(texts.month_bytes),
		total_bytes: typedBytes(texts.total_bytes),
		connections: typedConnections(texts.connections),
		allowed_ips: typedAddresses(texts.allowed_ips),
		expires_at: typedExpiry(texts.expires_on.trim(), texts.expires_at.trim()),
	};
}

/** The limits whose fields were changed; `undefined` if one of them is wrong. What was not changed is not sent. */
export function changedLimits(before: LimitTexts, texts: LimitTexts): Partial<SubUserLimits> | undefined {
	const names = LIMITS.filter((name) => isChanged(name, before, texts));
	return chosenLimits(names, texts);
}

/** The limits with these names; `undefined` if one of them is wrong. */
export function chosenLimits(names: readonly LimitName[], texts: LimitTexts): Partial<SubUserLimits> | undefined {
	const typed = typedLimits(texts);
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

const BYTES_OF_GB = 1_000_000_000n;
const GB_DECIMALS = 9;

/** Bytes as GB, exactly and without zeros at the end. */
export function typedGb(bytes: number): string {
	const whole = BigInt(bytes) / BYTES_OF_GB;
	const part = String(BigInt(bytes) % BYTES_OF_GB)
		.padStart(GB_DECIMALS, '0')
		.replace(/0+$/, '');
	return typedDigits({ whole: String(whole), part });
}

/** Digits become an integer directly, never a fraction. */
export function parseGb(text: string): number | undefined {
	const typed = readDigits(text.trim(), GB_DECIMALS);
	if (!typed) return undefined;
	const bytes = BigInt(typed.whole) * BYTES_OF_GB + BigInt(typed.part.padEnd(GB_DECIMALS, '0'));
	return bytes >= 1n && bytes <= BigInt(MAX_BYTES) ? Number(bytes) : undefined;
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

function typedAddresses(text: string): TypedLimits['allowed_ips'] {
	const lines = text.split('\n').map((line) => line.trim());
	const wrong = lines.findIndex((line) => line !== '' && normalizeAllowedIp(line) === undefined);
	if (wrong !== -1) return { state: 'wrong', problem: 'address', line: wrong + 1 };
	const addresses = [...new Set(lines.filter((line) => line !== '').map((line) => normalizeAllowedIp(line) ?? line))];
	if (addresses.length > MAX_ALLOWED_IPS) return { state: 'wrong', problem: 'too_many_addresses' };
	return addresses.length === 0 ? none : { state: 'right', limit: addresses };
}

/** Without a time, it is the beginning of the day in UTC. */
function typedExpiry(date: string, time: string): TypedLimits['expires_at'] {
	if (date === '' && time === '') return none;
	if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return { state: 'wrong', problem: 'date' };
	const clock = time === '' ? '00:00:00' : time.length === 5 ? `${time}:00` : time;
	if (!/^\d{2}:\d{2}:\d{2}$/.test(clock)) return { state: 'wrong', problem: 'time' };
	const text = `${date}T${clock}.000Z`;
	const ms = Date.parse(text);
	// `Date` would read 30 February as 2 March, and a limit of 1970 is not after zero.
	if (Number.isNaN(ms) || ms < 1 || new Date(ms).toISOString() !== text) return { state: 'wrong', problem: 'date' };
	return { state: 'right', limit: text };
}

const none = { state: 'right', limit: null } as const;
