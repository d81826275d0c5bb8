import { errorFields, type Progress } from '@bursar/terminal';
import { feeFields } from '../output/fields.ts';
import type { Change } from './changes.ts';
import type { InputLine } from './input.ts';
import type { Row } from './line.ts';

const RESULT_WIDTH = 'not done'.length;

/**
 * Returns a function that prints one row and resolves once it is written. The input tells how wide the columns are.
 * Rejects if the titles cannot be printed.
 */
export async function rowPrinter(
	change: Change,
	lines: readonly InputLine[],
	asJson: boolean | undefined,
	progress: Progress,
): Promise<(row: Row) => Promise<void>> {
	if (asJson) return (row: Row) => progress.print(JSON.stringify(rowFields(row, change)));
	const lineWidth = Math.max('LINE'.length, String(lines.at(-1)?.line).length);
	const nameWidth = lines.reduce((width, { username }) => Math.max(width, username.length), 'USERNAME'.length);
	const print = (line: string, username: string, result: string, detail: string) =>
		progress.print(
			[line.padStart(lineWidth), username.padEnd(nameWidth), result.padEnd(RESULT_WIDTH), detail].join('  '),
		);
	await print('LINE', 'USERNAME', 'RESULT', change.detailTitle);
	return ({ input, verdict }: Row) => {
		const [result, detail] =
			verdict.state === 'done'
				? [verdict.done.word, verdict.done.detail]
				: [verdict.state.replace('_', ' '), verdict.failure.message];
		return print(String(input.line), input.username, result, detail);
	};
}

/** A row of `--json`. The fee is the sum of all runs. */
function rowFields({ input, verdict, fee }: Row, { operation, hasAmounts }: Change) {
	return {
		line: input.line,
		username: input.username,
		...(hasAmounts && { amount_usd_cents: input.amountCents }),
		state: verdict.state,
		...(verdict.state === 'done' ? verdict.done.fields : { error: errorFields(verdict.failure) }),
		...(operation === 'create' && { fee: feeFields(fee) }),
	};
}
