import { print, recordLines } from '@bursar/terminal';

type Result = Readonly<Record<string, unknown>>;

/** Prints a result: with `--json` as one object, otherwise as aligned lines of `name value`. */
export function printResult(result: Result, asJson: boolean | undefined): void {
	print(resultLines(result, asJson));
}

export function resultLines(result: Result, asJson: boolean | undefined): readonly string[] {
	return asJson ? [JSON.stringify(result)] : recordLines(result);
}
