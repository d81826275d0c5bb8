import { errorFields, type Progress } from '@bursar/terminal';
import { feeFields } from '../../output/fields.ts';
import { type JsonForm, jsonText } from '../../output/json.ts';
import { type Change, contentFields } from '../changes.ts';
import type { InputLine } from '../input/read-input.ts';
import type { LineResult } from './record-outcome.ts';

/** The fields of a row with `--json` that do not come from the change. */
export const ROW_FIELDS = ['line', 'state', 'error'];

const RESULT_WIDTH = 'not done'.length;

/**
 * Returns a function that prints the result of a line and resolves once it is written. The input tells how wide the columns are.
 * Rejects if the titles cannot be printed.
 */
export async function resultPrinter(
	change: Change,
	lines: readonly InputLine[],
	json: JsonForm | undefined,
	progress: Progress,
): Promise<(result: LineResult) => Promise<void>> {
	if (json) return (result: LineResult) => progress.print(jsonText(resultFields(result, change), json));
	const lineWidth = Math.max('LINE'.length, String(lines.at(-1)?.line).length);
	const nameWidth = lines.reduce((width, { username }) => Math.max(width, username.length), 'USERNAME'.length);
	const print = (line: string, username: string, result: string, detail: string) =>
		progress.print(
			[line.padStart(lineWidth), username.padEnd(nameWidth), result.padEnd(RESULT_WIDTH), detail].join('  '),
		);
	await print('LINE', 'USERNAME', 'RESULT', change.detailTitle);
	return ({ input, outcome }: LineResult) => {
		const [result, detail] =
			outcome.state === 'done'
				? [outcome.done.word, outcome.done.detail]
				: [outcome.state.replace('_', ' '), outcome.failure.message];
		return print(String(input.line), input.username, result, detail);
	};
}

/** A result as `--json` prints it. The fee is the sum of all runs. */
function resultFields({ input: { line, ...content }, outcome, fee }: LineResult, change: Change) {
	return {
		line,
		...contentFields(content, change),
		state: outcome.state,
		...(outcome.state === 'done' ? outcome.done.fields : { error: errorFields(outcome.failure) }),
		...(change.paysFee && { fee: feeFields(fee) }),
	};
}
