import { csvLine } from '@bursar/contract/csv';
import { usd } from '@bursar/contract/usd';
import { failureTexts } from '../../calls/failure-texts.ts';
import { OPERATIONS } from './operations.ts';
import type { Outcome, Run } from './run.ts';
import { manyTexts } from './texts.ts';

/** What became of a line, and why. */
export function outcomeText(outcome: Outcome): string {
	const words = manyTexts.outcomes[outcome.state];
	return 'code' in outcome && outcome.code !== undefined ? `${words}: ${failureTexts[outcome.code].happened}` : words;
}

/** A file with the outcome of each line. */
export function outcomesCsv({ operation, lines }: Run): string {
	const { hasAmounts } = OPERATIONS[operation];
	const heading = ['line', 'username', ...(hasAmounts ? ['amount (USD)'] : []), 'state', 'outcome'];
	const rows = lines.map(({ line, username, cents, outcome }) => [
		...[line, username, ...(hasAmounts ? [usd(cents)] : [])],
		...[outcome.state, outcomeText(outcome)],
	]);
	return `\ufeff${[heading, ...rows].map((cells) => csvLine(cells)).join('\r\n')}\r\n`;
}
