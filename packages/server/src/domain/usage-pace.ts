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

/**
 * How much time an edge begins with, and keeps saved up after a batch: reports may be late. It is spent once. After that
 * there is only the time that passes.
 * @bound Time in which an edge may have carried bytes, saved up between reports: more bytes are refused as
 * `too_fast`.
 */
const KEPT_MS = 10 * 60_000;
/**
 * How much time is saved up in all while nothing is reported. An edge can carry no more on a UTC day, so each reading of one
 * day counts at some time.
 * @bound The same while it reports nothing, or while a reading of it is refused: more bytes are refused as
 * `too_fast`.
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

/** A pace as this batch changes it. */
interface ChangingPace {
	readonly edge: string;
	readonly reseller: string;
	spentToMs: number;
	refusedAtMs: number | null;
	isChanged: boolean;
}

export function createPaces(known: ReadonlyMap<string, UsagePace>, nowMs: number): Paces {
	const paces = new Map<string, ChangingPace>();
	/** Most readings of a batch belong to the same edge and reseller. */
	let last: ChangingPace | undefined;

	function paceOf({ edge }: CounterReading, reseller: string): ChangingPace {
		if (last?.edge === edge && last.reseller === reseller) return last;
		const key = usagePaceKey({ edge, reseller });
		last = paces.get(key) ?? begin(edge, reseller, known.get(key));
		paces.set(key, last);
		return last;
	}

	function begin(edge: string, reseller: string, before: UsagePace | undefined): ChangingPace {
		// Without the second condition, an edge could report nothing until a clock that was ahead is caught up with.
		const isNew = before === undefined || before.spentToMs > nowMs + MAX_AHEAD_MS;
		const spentToMs = isNew ? nowMs - KEPT_MS : Math.min(Math.max(before.spentToMs, nowMs - LONGEST_MS), nowMs);
		return { edge, reseller, spentToMs, refusedAtMs: before?.refusedAtMs ?? null, isChanged: false };
	}

	function afterBatch({ edge, reseller, spentToMs, refusedAtMs }: ChangingPace): UsagePace {
		const isSavingUp = refusedAtMs !== null && Math.abs(nowMs - refusedAtMs) < REFUSED_LATELY_MS;
		const leastMs = isSavingUp ? 0 : nowMs - KEPT_MS;
		return { edge, reseller, spentToMs: Math.ceil(Math.max(spentToMs, leastMs)), refusedAtMs };
	}

	return {
		allow(reading, reseller, added) {
			const pace = paceOf(reading, reseller);
			if (pace.spentToMs + costMs(reading, added) <= nowMs) return true;
			pace.refusedAtMs = nowMs;
			pace.isChanged = true;
			return false;
		},
		spend(reading, reseller, added) {
			const cost = costMs(reading, added);
			if (cost === 0) return;
			const pace = paceOf(reading, reseller);
			pace.spentToMs += cost;
			pace.isChanged = true;
		},
		changed: () => [...paces.values()].filter(({ isChanged }) => isChanged).map(afterBatch),
	};
}

/** Up and down share no line, so the larger number counts. */
function costMs({ edgeBytesPerMs }: CounterReading, { bytesUp, bytesDown }: Bytes): number {
	return Math.max(bytesUp, bytesDown) / edgeBytesPerMs;
}
