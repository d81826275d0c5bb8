import { visible } from '@bursar/terminal';
import { print } from './output.ts';

export interface Column {
	readonly title: string;
	/** Numbers stand at the right. */
	readonly isNumber?: boolean;
}

/** Prints rows of text under the titles of their columns. */
export function printTable(columns: readonly Column[], rows: readonly (readonly string[])[]): void {
	const titles = columns.map(({ title }) => title);
	const cells = [titles, ...rows].map((row) => row.map(visible));
	const widths = columns.map((_, place) => cells.reduce((width, row) => Math.max(width, row[place]?.length ?? 0), 0));
	for (const row of cells) {
		const line = columns.map(({ isNumber }, place) => {
			const cell = row[place] ?? '';
			return isNumber ? cell.padStart(widths[place] ?? 0) : cell.padEnd(widths[place] ?? 0);
		});
		print(line.join('  ').trimEnd());
	}
}
