import { setTimeout } from 'node:timers/promises';
import type { UsageRefusal, UsageReport } from '../domain/usage.ts';
import { parseUsageReport } from '../domain/usage-report.ts';
import type { Writer } from '../store/store.ts';
import { readLines } from './lines.ts';
import { CommandError } from './output.ts';

export interface ImportCounts {
	readonly counted: number;
	readonly repeated: number;
	readonly refused: number;
}

interface ImportOptions {
	readonly nowMs: () => number;
	/** `line` counts from 1. */
	readonly onRefused: (line: number, reason: UsageRefusal) => void;
	readonly onProgress: (lines: number) => void;
}

/** Small enough that a transaction takes milliseconds: a server may be waiting to write. */
const BATCH_SIZE = 2000;
const BUSY_LIMIT_MS = 60_000;

interface NumberedReport {
	readonly line: number;
	readonly report: UsageReport;
}

/**
 * Imports usage reports, one JSON object a line. While one batch is being written the next is read.
 * Stopped in the middle, it can be run again from the start: what was counted is known.
 */
export async function importUsage(
	store: Pick<Writer, 'recordUsage'>,
	input: AsyncIterable<Buffer>,
	{ nowMs, onRefused, onProgress }: ImportOptions,
): Promise<ImportCounts> {
	const counts = { counted: 0, repeated: 0, refused: 0 };
	let lines = 0;
	let batch: NumberedReport[] = [];
	let writing: Promise<void> = Promise.resolve();

	function refuse(line: number, reason: UsageRefusal): void {
		counts.refused++;
		onRefused(line, reason);
	}

	async function write(reports: readonly NumberedReport[]): Promise<void> {
		const verdicts = await recordWhenFree(
			store,
			reports.map(({ report }) => report),
			nowMs,
		);
		for (const [place, { line }] of reports.entries()) {
			const verdict = verdicts[place];
			if (verdict === 'counted' || verdict === 'repeated') counts[verdict]++;
			else if (verdict) refuse(line, verdict.refused);
		}
	}

	async function flush(): Promise<void> {
		const full = batch;
		batch = [];
		await writing;
		onProgress(lines);
		writing = write(full);
		// It is awaited with the next one; until then its failure is nobody's unhandled one.
		writing.catch(() => {});
	}

	for await (const text of readLines(input)) {
		lines++;
		if (text?.trim() === '') continue;
		const report = text === undefined ? { refused: 'invalid_report' as const } : parseLine(text);
		if ('refused' in report) refuse(lines, report.refused);
		else batch.push({ line: lines, report });
		if (batch.length >= BATCH_SIZE) await flush();
	}
	await flush();
	await writing;
	return counts;
}

function parseLine(text: string): UsageReport | { readonly refused: UsageRefusal } {
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
