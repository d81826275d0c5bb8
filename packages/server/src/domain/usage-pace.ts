import { type Bytes, type CounterReading, MAX_AHEAD_MS } from './usage.ts';

/**
 * How much of its highest rate an edge has used up for the accounts of a reseller. The rate is spent like time: bytes
 * cost the milliseconds in which the edge can have carried them.
 */
export interface UsagePace {
	readonly edge: string;
	readonly reseller: string;
	/** Until when the rate is spent, in Unix milliseconds. */
	readonly spentToMs: number;
	/** When a reading was last refused because it was too fast, in Unix milliseconds; `null` if none was. */
	readonly refusedAtMs: number | null;
}

/** Bytes a millisecond of one Gbit/s. */
export const BYTES_PER_MS_OF_GBPS = 125_000;

/** How much time each reading may cost, however short ago the previous one was: reports may be late. */
const ALWAYS_MS = 10 * 60_000;
/**
 * How much time may be saved up while nothing is reported. An edge can carry no more on a UTC day, so each reading of one
 * day counts at some time.
 */
const LONGEST_MS = 86_400_000;
/**
 * An edge sends a refused reading again within 30 seconds. As long as it does, time is saved up. Otherwise its other
 * readings would take away again and again what this one needs.
 */
const REFUSED_LATELY_MS = 2 * 60_000;

export function usagePaceKey({ edge, reseller }: Pick<UsagePace, 'edge' | 'reseller'>): string {
	return `${edge}\n${reseller}`;
}

/** The paces of a batch. `nowMs`: Unix milliseconds. */
export interface Paces {
	/** Whether the edge can have carried these bytes since it last reported accounts of this reseller. Spends nothing. */
	allow(reading: CounterReading, reseller: string, added: Bytes): boolean;
	/** Spends the time that these bytes cost. */
	spend(reading: CounterReading, reseller: string, added: Bytes): void;
	/** Those that this batch changes. */
	changed(): readonly UsagePace[];
}

export function createPaces(known: ReadonlyMap<string, UsagePace>, nowMs: number): Paces {
	const changed = new Map<string, UsagePace>();

	function paceOf({ edge }: CounterReading, reseller: string): UsagePace {
		const key = usagePaceKey({ edge, reseller });
		return changed.get(key) ?? startedAt(known.get(key) ?? { edge, reseller, spentToMs: 0, refusedAtMs: null });
	}

	function startedAt(pace: UsagePace): UsagePace {
		const { spentToMs } = pace;
		// Without this, an edge could report nothing until the clock that was ahead is caught up with.
		if (spentToMs === 0 || spentToMs > nowMs + MAX_AHEAD_MS) return { ...pace, spentToMs: nowMs - ALWAYS_MS };
		return { ...pace, spentToMs: Math.min(Math.max(spentToMs, nowMs - LONGEST_MS), nowMs) };
	}

	function change(pace: UsagePace): void {
		changed.set(usagePaceKey(pace), pace);
	}

	function isSavingUp({ refusedAtMs }: UsagePace): boolean {
		return refusedAtMs !== null && Math.abs(nowMs - refusedAtMs) < REFUSED_LATELY_MS;
	}

	return {
		allow(reading, reseller, added) {
			const pace = paceOf(reading, reseller);
			if (pace.spentToMs + costMs(reading, added) <= nowMs) return true;
			change({ ...pace, refusedAtMs: nowMs });
			return false;
		},
		spend(reading, reseller, added) {
			const cost = costMs(reading, added);
			if (cost === 0) return;
			const pace = paceOf(reading, reseller);
			change({ ...pace, spentToMs: pace.spentToMs + cost });
		},
		changed: () =>
			[...changed.values()].map((pace) => {
				const leastMs = isSavingUp(pace) ? 0 : nowMs - ALWAYS_MS;
				return { ...pace, spentToMs: Math.ceil(Math.max(pace.spentToMs, leastMs)) };
			}),
	};
}

/** Up and down share no line, so the larger number counts. */
function costMs({ edgeBytesPerMs }: CounterReading, { bytesUp, bytesDown }: Bytes): number {
	return Math.max(bytesUp, bytesDown) / edgeBytesPerMs;
}
