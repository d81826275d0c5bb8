import { CommandError } from '@bursar/terminal';
import type { Bank } from '../bank/bank.ts';
import { USAGE_STEP } from '../bank/usage-commit.ts';
import {
	type ArrivedReport,
	type UnreadableReport,
	type UsageRefusal,
	type UsageReport,
	usageReportKey,
} from '../domain/usage.ts';
import { parseUsageReport } from '../domain/usage-report.ts';
import { readLines } from './lines.ts';

export interface ImportCounts {
	readonly counted: number;
	readonly repeated: number;
	readonly refused: number;
}

interface ImportOptions {
	/** `line` counts from 1. */
	readonly onRefused: (line: number, reason: UsageRefusal) => Promise<void>;
	readonly onProgress: (reports: number) => void;
}

interface NumberedArrival {
	readonly line: number;
	readonly report: ArrivedReport;
}

interface RefusedLine {
	readonly line: number;
	readonly reason: UsageRefusal;
}

/** @bound Lines of an import that are read before they are counted: the rest is read next. */
const CHUNK_SIZE = 10_000;
/**
 * How many steps are sent ahead, so that the store stays busy while the next lines are read.
 * @bound Steps of an import that are sent ahead: the rest waits.
 */
const STEPS_UNDER_WAY = 8;
const TOO_LONG: UnreadableReport = { refused: 'invalid_report' };
/** All reports of an import have the same sender. */
const SENDER = 'import';

/**
 * Imports usage reports, one JSON object a line. The next chunk of lines is read while the previous one is counted. An
 * import that was interrupted can be run again from the start: no report is counted twice.
 */
export async function importUsage(
	bank: Pick<Bank, 'recordUsage'>,
	input: AsyncIterable<Buffer>,
	{ onRefused, onProgress }: ImportOptions,
): Promise<ImportCounts> {
	const counts = { counted: 0, repeated: 0, refused: 0 };
	let lines = 0;
	let chunk: NumberedArrival[] = [];
	let counting: Promise<void> = Promise.resolve();

	async function countStep(step: readonly NumberedArrival[], refused: RefusedLine[]): Promise<void> {
		const answer = await bank.recordUsage(
			SENDER,
			step.map(({ report }) => report),
		);
		if (!answer.ok) {
			throw new CommandError(
				'import_stopped',
				'the store could not be written; run the same import again: no report is counted twice',
			);
		}
		for (const [index, { line }] of step.entries()) {
			const verdict = answer.verdicts[index];
			if (verdict === 'counted' || verdict === 'repeated') counts[verdict]++;
			else if (verdict) refused.push({ line, reason: verdict.refused });
		}
		onProgress(counts.counted + counts.repeated);
	}

	async function count(reports: readonly NumberedArrival[], stepsUnderWay: number): Promise<void> {
		const refused: RefusedLine[] = [];
		const underWay: Promise<void>[] = [];
		for (let start = 0; start < reports.length; start += USAGE_STEP) {
			const step = countStep(reports.slice(start, start + USAGE_STEP), refused);
			// Awaited later. Until then, a failure must not count as unhandled.
			step.catch(() => {});
			underWay.push(step);
			if (underWay.length >= stepsUnderWay) await underWay.shift();
		}
		await Promise.all(underWay);
		counts.refused += refused.length;
		for (const { line, reason } of refused.sort((a, b) => a.line - b.line)) await onRefused(line, reason);
	}

	async function flush(): Promise<void> {
		const reports = chunk;
		chunk = [];
		await counting;
		// Steps that are under way together may be counted in any order, and of two lines with one name the first counts.
		counting = count(reports, haveRepeatedName(reports) ? 1 : STEPS_UNDER_WAY);
		// Awaited with the next chunk, like a step.
		counting.catch(() => {});
	}

	for await (const text of readLines(input)) {
		lines++;
		if (text?.trim() === '') continue;
		chunk.push({ line: lines, report: text === undefined ? TOO_LONG : parseLine(text) });
		if (chunk.length >= CHUNK_SIZE) await flush();
	}
	await flush();
	await counting;
	return counts;
}

function haveRepeatedName(arrived: readonly NumberedArrival[]): boolean {
	const names = arrived.flatMap(({ report }) => ('source' in report ? usageReportKey(report) : []));
	return new Set(names).size < names.length;
}

function parseLine(text: string): UsageReport | UnreadableReport {
	// Bytes that are not UTF-8 have become U+FFFD, so two different names might look the same.
	if (text.includes('\uFFFD')) return { refused: 'not_json' };
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return { refused: 'not_json' };
	}
	return parseUsageReport(value);
}
