import { csvLine } from '@bursar/contract/csv';
import { usd } from '@bursar/contract/usd';
import { failureTexts } from '../../calls/failure-texts.ts';
import { hasReferences, type Outcome, type Run, totalCents } from './run.ts';
import { manyTexts } from './texts.ts';

/** What became of a line, and why. */
export function outcomeText(outcome: Outcome): string {
	const words = manyTexts.outcomes[outcome.state];
	return 'code' in outcome && outcome.code !== undefined ? `${words}: ${failureTexts[outcome.code].happened}` : words;
}

/** A file with the outcome of each line. */
export function outcomesCsv({ lines }: Run): string {
	const hasAmounts = totalCents(lines) > 0;
	const isWithReferences = hasReferences(lines);
	const heading = [
		...['line', 'username', ...(hasAmounts ? ['amount (USD)'] : [])],
		...[...(isWithReferences ? ['reference'] : []), 'state', 'outcome'],
	];
	const rows = lines.map(({ line, username, cents, reference = '', outcome }) => [
		...[line, username, ...(hasAmounts ? [usd(cents)] : [])],
		...(isWithReferences ? [reference] : []),
		...[outcome.state, outcomeText(outcome)],
	]);
	return csvText([heading, ...rows]);
}

/** Lines of CSV, as spreadsheets expect them. */
export function csvText(rows: readonly (readonly (string | number)[])[]): string {
	return `\ufeff${rows.map((cells) => csvLine(cells)).join('\r\n')}\r\n`;
}

/** Has the browser save a text as a file. */
export function saveFile(name: string, text: string): void {
	const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
	const link = document.createElement('a');
	link.href = url;
	link.download = name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
