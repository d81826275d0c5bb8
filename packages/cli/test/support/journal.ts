import { writeFileSync } from 'node:fs';
import type { Change } from '../../src/bulk/changes.ts';
import { readInput } from '../../src/bulk/input/read-input.ts';
import { JOURNAL_VERSION } from '../../src/bulk/journal/journal-file.ts';
import type { JournalEntry } from '../../src/bulk/journal/line-history.ts';

/** The times of a `begun` entry, with the default time-outs. */
export function begunAgo(hours: number): { readonly at: string; readonly expires: number } {
	const at = new Date(Date.now() - hours * 3_600_000);
	return { at: at.toISOString(), expires: Math.ceil(at.getTime() / 1000) + 78 };
}

/** Writes the journal of a file as a run of the reseller acme would leave it. Returns its text. */
export function journalOf(
	file: string,
	operation: Change['operation'],
	url: string,
	entries: readonly JournalEntry[],
): string {
	const hasAmounts = operation === 'give' || operation === 'take';
	const { sha256 } = readInput(file, { hasAmounts });
	const header = { version: JOURNAL_VERSION, operation, url, reseller: 'acme', input_sha256: sha256, began: '' };
	const text = [header, ...entries].map((line) => `${JSON.stringify(line)}\n`).join('');
	writeFileSync(`${file}.journal`, text);
	return text;
}
