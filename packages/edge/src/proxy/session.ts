import { hash } from 'node:crypto';
import type { ProxyOptions } from '@bursar/contract/proxy-options';

/** What a session is drawn by: whatever is drawn by the same key is the same, in all processes and on all proxy hosts. */
export interface SessionDraw {
	/** With a lifetime, it changes each time the lifetime is over. */
	readonly key: string;
	/** When it changes, in milliseconds since 1970. `Infinity`: never. */
	readonly endsAtMs: number;
}

const LIFETIME = /^([1-9]\d{0,3})([mh])$/;
const MINUTE_MS = 60_000;
const LONGEST_MS = 24 * 60 * MINUTE_MS;

/**
 * The draw of a client with the option `session`; `undefined` without it. Lifetimes are slices of the time that all processes
 * know, so that no process needs to remember when a session began. Each session has its own beginnings.
 *
 * @param nowMs milliseconds since 1970
 */
export function sessionDraw(account: string, options: ProxyOptions, nowMs: number): SessionDraw | undefined {
	const session = options.get('session');
	if (session === undefined) return undefined;
	const key = `${account}\n${session}`;
	const lifetimeMs = lifetimeOf(options);
	if (lifetimeMs === undefined) return { key, endsAtMs: Number.POSITIVE_INFINITY };
	const shiftMs = Math.floor(shareOf(key) * lifetimeMs);
	const slice = Math.floor((nowMs + shiftMs) / lifetimeMs);
	return { key: `${key}\n${lifetimeMs}\n${slice}`, endsAtMs: (slice + 1) * lifetimeMs - shiftMs };
}

/** The option `lifetime` in milliseconds: `30m` or `12h`, from a minute to 24 hours. `undefined` if it has no such form. */
export function lifetimeOf(options: ProxyOptions): number | undefined {
	const [, count, unit] = LIFETIME.exec(options.get('lifetime') ?? '') ?? [];
	const lifetimeMs = Number(count) * (unit === 'h' ? 60 : 1) * MINUTE_MS;
	return lifetimeMs <= LONGEST_MS ? lifetimeMs : undefined;
}

/** From 0 to 1, always the same for the same texts. */
export function shareOf(...texts: readonly string[]): number {
	return (Number.parseInt(digestOf(...texts).slice(0, 12), 16) + 0.5) / 2 ** 48;
}

/** 64 hexadecimal digits, always the same for the same texts. */
export function digestOf(...texts: readonly string[]): string {
	return hash('sha256', texts.join('\n'), 'hex');
}
