import type { CheckRefusal } from '@bursar/contract/edge';
import type { Bank } from './bank.ts';

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

interface Written {
	seenAtMs: number;
	checks: number;
	refusals: number;
}

/** What could not be written is written the next time. When the process dies, up to ten seconds are lost. */
export function createEdgeUses(
	bank: Pick<Bank, 'changePerson'>,
	{ writeMs = WRITE_MS }: { readonly writeMs?: number | undefined } = {},
): EdgeUses {
	/** One for each edge that asked: as many as there are edges at most. */
	const uses = new Map<string, EdgeTotals>();
	const written = new Map<string, Written>();
	let writing: Promise<void> | undefined;

	async function write(): Promise<void> {
		const news = [...uses.values()].map(figures).filter(({ name, seenAtMs, checks }) => {
			const before = written.get(name);
			return before?.seenAtMs !== seenAtMs || before.checks !== checks;
		});
		if (news.length === 0) return;
		const { ok } = await bank.changePerson({
			kind: 'note_edge_uses',
			uses: news.map(({ name, seenAtMs, checks, refusals }) => {
				const before = written.get(name) ?? { checks: 0, refusals: 0 };
				return { name, seenAtMs, checks: checks - before.checks, refusals: refusals - before.refusals };
			}),
		});
		if (ok) for (const { name, ...now } of news) written.set(name, now);
	}

	function writeAlone(): Promise<void> {
		writing ??= write().finally(() => {
			writing = undefined;
		});
		return writing;
	}
	const timer = setInterval(writeAlone, writeMs);
	timer.unref();

	return {
		of(name) {
			const known = uses.get(name);
			if (known) return known;
			const totals: EdgeTotals = {
				name,
				seenAtMs: 0,
				checks: { ok: 0, wrong_pair: 0, throttled: 0, unavailable: 0 },
				readings: { counted: 0, repeated: 0, refused: 0 },
			};
			uses.set(name, totals);
			return totals;
		},
		[Symbol.iterator]: () => uses.values(),
		async close() {
			clearInterval(timer);
			await writing;
			await writeAlone();
		},
	};
}

function figures({ name, seenAtMs, checks: { ok, ...refused } }: EdgeTotals) {
	const refusals = refused.wrong_pair + refused.throttled + refused.unavailable;
	return { name, seenAtMs, checks: ok + refusals, refusals };
}
