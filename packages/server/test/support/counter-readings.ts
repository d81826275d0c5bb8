import type { CounterReading } from '../../src/domain/usage.ts';
import { NOON_MS } from './commands.ts';

/** A reading of the counter `c1` of the edge `eu-1`, with these bytes up and down. */
export function reading(bytesUp: number, bytesDown: number, changes: Partial<CounterReading> = {}): CounterReading {
	const usual = { edge: 'eu-1', counter: 'c1', username: 'alice', atMs: NOON_MS, restarts: false };
	return { ...usual, bytesUp, bytesDown, ...changes };
}
