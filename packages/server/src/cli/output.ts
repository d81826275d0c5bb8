import { print, recordLines } from '@bursar/terminal';

type Result = Readonly<Record<string, unknown>>;

/** Prints a result: one object with `--json`, otherwise aligned lines of `name value`. */
export function printResult(result: Result, asJson: boolean | undefined): void {
	print(resultLines(result, asJson));
}

export function resultLines(result: Result, asJson: boolean | undefined): readonly string[] {
	return asJson ? [JSON.stringify(result)] : recordLines(result);
}
