import { print, recordLines, usd } from '@bursar/terminal';

type Result = Readonly<Record<string, unknown>>;

/** Prints a result: one object with `--json`, otherwise aligned lines of `name value`. */
export function printResult(result: Result, asJson: boolean | undefined): void {
	print(resultLines(result, asJson));
}

export function resultLines(result: Result, asJson: boolean | undefined): readonly string[] {
	return asJson ? [JSON.stringify(result)] : recordLines(inDollars(result));
}

/** Programs read amounts in USD cents, people in dollars. */
function inDollars(result: Result): Result {
	const fields = Object.entries(result).map(([name, value]) =>
		name.endsWith('_cents') && typeof value === 'number'
			? [name.replace(/_cents$/, ''), `${usd(value)} USD`]
			: [name, value],
	);
	return Object.fromEntries(fields);
}

/** Unix milliseconds as the ISO 8601 text that results have. */
export function iso(atMs: number): string;
export function iso(atMs: number | null): string | null;
export function iso(atMs: number | null): string | null {
	return atMs === null ? null : new Date(atMs).toISOString();
}
