import type { CheckRefusal } from '@bursar/contract/edge';
import type { Bank } from './bank.ts';
import { writeRepeatedly } from './repeated-writing.ts';

/** How often uses are written, in milliseconds. */
const WRITE_MS = 10_000;

type CheckResult = 'ok' | CheckRefusal;
type ReadingResult = 'counted' | 'repeated' | 'refused';

/** What an edge did since this process started. The caller counts. */
export interface EdgeTotals {
	readonly name: string;
	/** When it last asked, in Unix milliseconds. */
	seenAtMs: number;
	/** Checked pairs, by result. */
	readonly checks: Record<CheckResult, number>;
	/** Readings of counters, by result. */
	readonly readings: Record<ReadingResult, number>;
}

/** Counts what edges do, and writes it to the store every ten seconds. */
export interface EdgeUses extends Iterable<EdgeTotals> {
	of(name: string): EdgeTotals;
	/** Writes the rest. */
	close(): Promise<void>;
}

interface Figures {
	readonly name: string;
	readonly seenAtMs: number;
	readonly checks: number;
	readonly refusals: number;
}

/** What could not be written is written the next time. When the process dies, up to ten seconds are lost. */
export function createEdgeUses(
	bank: Pick<Bank, 'keep'>,
	{ writeMs = WRITE_MS }: { readonly writeMs?: number | undefined } = {},
): EdgeUses {
	/** One for each edge that asked: as many as there are edges at most. */
	const uses = new Map<string, EdgeTotals>();
	const written = new Map<string, Figures>();

	async function write(): Promise<boolean> {
		const written = await Promise.all([...uses.values()].map(figures).filter(isNew).map(writeUse));
		return written.every(Boolean);
	}

	function isNew({ name, seenAtMs, checks }: Figures): boolean {
		const before = written.get(name);
		return before?.seenAtMs !== seenAtMs || before.checks !== checks;
	}

	async function writeUse(now: Figures): Promise<boolean> {
		const { name, seenAtMs } = now;
		const before = written.get(name) ?? { checks: 0, refusals: 0 };
		const counts = { checks: now.checks - before.checks, refusals: now.refusals - before.refusals };
		const { ok } = await bank.keep({ kind: 'edge_use', name, seenAtMs, ...counts });
		if (ok) written.set(name, now);
		return ok;
	}

	const writing = writeRepeatedly(write, writeMs);

	return {
		of(name) {
			const known = uses.get(name);
			if (known) return known;
			const totals: EdgeTotals = {
				name,
				seenAtMs: 0,
				checks: {
					ok: 0,
					wrong_pair: 0,
					throttled: 0,
					unavailable: 0,
					suspended: 0,
					expired: 0,
					address_not_allowed: 0,
					exhausted: 0,
					limit_reached: 0,
				},
				readings: { counted: 0, repeated: 0, refused: 0 },
			};
			uses.set(name, totals);
			return totals;
		},
		[Symbol.iterator]: () => uses.values(),
		close: writing.close,
	};
}

function figures({ name, seenAtMs, checks: { ok, ...refused } }: EdgeTotals): Figures {
	const refusals = Object.values(refused).reduce((sum, count) => sum + count, 0);
	return { name, seenAtMs, checks: ok + refusals, refusals };
}
