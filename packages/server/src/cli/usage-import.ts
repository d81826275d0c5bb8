import { setTimeout } from 'node:timers/promises';
import { CommandError } from '@bursar/terminal';
import type { UsageRefusal, UsageReport } from '../domain/usage.ts';
import { parseUsageReport } from '../domain/usage-report.ts';
import type { Writer } from '../store/store.ts';
import { readLines } from './lines.ts';
import { type NumberedReport, storeOrder } from './usage-order.ts';

export interface ImportCounts {
	readonly counted: number;
	readonly repeated: number;
	readonly refused: number;
}

interface ImportOptions {
	readonly nowMs: () => number;
	/** `line` counts from 1. */
	readonly onRefused: (line: number, reason: UsageRefusal) => Promise<void>;
	readonly onProgress: (reports: number) => void;
}

interface RefusedLine {
	readonly line: number;
	readonly reason: UsageRefusal;
}

/** How many lines are read before any of them is counted: enough of them that sorting them pays. */
const CHUNK_SIZE = 100_000;
/** The first one is small, so that the store has something to do. */
const FIRST_CHUNK_SIZE = 10_000;
/** Small enough that a transaction takes milliseconds: a server may be waiting to write. */
const BATCH_SIZE = 4000;
/** How many are sent ahead, so that the store has something to do while the next lines are being read. */
const BATCHES_UNDER_WAY = 6;
const BUSY_LIMIT_MS = 60_000;

/**
 * Imports usage reports, one JSON object a line. While one chunk of lines is being counted the next is
 * read. Stopped in the middle, it can be run again from the start: what was counted is known.
 */
export async function importUsage(
	store: Pick<Writer, 'recordUsage'>,
	input: AsyncIterable<Buffer>,
	{ nowMs, onRefused, onProgress }: ImportOptions,
): Promise<ImportCounts> {
	const counts = { counted: 0, repeated: 0, refused: 0 };
	let lines = 0;
	let chunkSize = FIRST_CHUNK_SIZE;
	let chunk: NumberedReport[] = [];
	let refusedLines: RefusedLine[] = [];
	let counting: Promise<void> = Promise.resolve();

	async function countBatch(batch: readonly NumberedReport[], refused: RefusedLine[]): Promise<void> {
		const verdicts = await recordWhenFree(
			store,
			batch.map(({ report }) => report),
			nowMs,
		);
		for (const [place, { line }] of batch.entries()) {
			const verdict = verdicts[place];
			if (verdict === 'counted' || verdict === 'repeated') counts[verdict]++;
			else if (verdict) refused.push({ line, reason: verdict.refused });
		}
		onProgress(counts.counted + counts.repeated);
	}

	async function count(reports: readonly NumberedReport[], refused: RefusedLine[]): Promise<void> {
		const underWay: Promise<void>[] = [];
		for (let start = 0; start < reports.length; start += BATCH_SIZE) {
			const batch = countBatch(reports.slice(start, start + BATCH_SIZE), refused);
			// It is awaited in its turn; until then its failure is nobody's unhandled one.
			batch.catch(() => {});
			underWay.push(batch);
			if (underWay.length >= BATCHES_UNDER_WAY) await underWay.shift();
		}
		await Promise.all(underWay);
		counts.refused += refused.length;
		for (const { line, reason } of refused.sort((a, b) => a.line - b.line)) await onRefused(line, reason);
	}

	async function flush(): Promise<void> {
		const [reports, refused] = [storeOrder(chunk), refusedLines];
		chunk = [];
		refusedLines = [];
		chunkSize = CHUNK_SIZE;
		await counting;
		counting = count(reports, refused);
		// As with a batch: it is awaited with the next one.
		counting.catch(() => {});
	}

	for await (const text of readLines(input)) {
		lines++;
		if (text?.trim() === '') continue;
		const report = text === undefined ? { refused: 'invalid_report' as const } : parseLine(text);
		if ('refused' in report) refusedLines.push({ line: lines, reason: report.refused });
		else chunk.push({ line: lines, report });
		if (chunk.length + refusedLines.length >= chunkSize) await flush();
	}
	await flush();
	await counting;
	return counts;
}

function parseLine(text: string): UsageReport | { readonly refused: UsageRefusal } {
	// What is not UTF-8 would be another text from here on, and two names might become one.
	if (text.includes('\uFFFD')) return { refused: 'not_json' };
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return { refused: 'not_json' };
	}
	return parseUsageReport(value);
}

async function recordWhenFree(
	store: Pick<Writer, 'recordUsage'>,
	reports: readonly UsageReport[],
	nowMs: () => number,
) {
	const giveUpAt = performance.now() + BUSY_LIMIT_MS;
	for (;;) {
		const answer = await store.recordUsage(reports, nowMs());
		if (answer.kind === 'committed') return answer.results;
		if (answer.kind !== 'busy' || performance.now() > giveUpAt) {
			throw new CommandError(
				'import_stopped',
				'the store could not be written; run the same import again: what has been counted is not counted twice',
			);
		}
		await setTimeout(5);
	}
}
