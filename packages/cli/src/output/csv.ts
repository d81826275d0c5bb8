import { csvLine } from '@bursar/terminal';
import { print } from './output.ts';

/** Prints CSV. Text that could be a formula, or steer a terminal, is made harmless. */
export function printCsv(columns: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
	for (const row of [columns, ...rows]) print(csvLine(row));
}
