import { type Column, csvLine, printMore, tableLines, usd } from '@bursar/terminal';
import { type JsonForm, jsonText } from './json.ts';

/** How a list is printed whose items have these fields. */
export interface ListForm<Item, Fields> {
	readonly fieldsOf: (item: Item) => Fields;
	/** The columns of CSV, and what stands in them if it is not the fields themselves. People read it: amounts are in dollars. */
	readonly csv: readonly string[];
	readonly csvFields?: (fields: Fields) => Readonly<Record<string, unknown>>;
	/** The columns of the table, and a row of it. */
	readonly table: readonly Column[];
	readonly cells: (fields: Fields) => readonly string[];
}

/** @bound Rows of a list that are held: they are printed before more pages are read. */
const ROWS_AT_ONCE = 1_000;

/**
 * Prints a list of any length while it is read. It ends if the reader of the output stops reading. If a later page cannot be
 * read, what was printed is not whole, and the command fails.
 */
export async function printList<Item, Fields extends Readonly<Record<string, unknown>>>(
	list: AsyncIterable<Item>,
	form: ListForm<Item, Fields>,
	{ json, csv }: { readonly json?: JsonForm; readonly csv?: boolean },
): Promise<void> {
	const linesOf = json ? jsonLines(json) : csv ? csvLines(form) : tableOf(form);
	let isFirst = true;
	let rows: Fields[] = [];
	for await (const item of list) {
		if (rows.length === ROWS_AT_ONCE) {
			if (!(await printMore(linesOf(rows, isFirst, false)))) return;
			isFirst = false;
			rows = [];
		}
		rows.push(form.fieldsOf(item));
	}
	await printMore(linesOf(rows, isFirst, true));
}

/** The lines of one part of the list. */
type LinesOf<Fields> = (rows: readonly Fields[], isFirst: boolean, isLast: boolean) => readonly string[];

/** One array. Each part is a line of it. */
function jsonLines(form: JsonForm): LinesOf<object> {
	return (rows, isFirst, isLast) => [`${isFirst ? '[' : ''}${jsonText(rows, form).slice(1, -1)}${isLast ? ']' : ','}`];
}

function csvLines<Item, Fields extends Readonly<Record<string, unknown>>>({
	csv,
	csvFields = (fields) => fields,
}: ListForm<Item, Fields>): LinesOf<Fields> {
	function lineOf(row: Fields): string {
		const fields = csvFields(row);
		return csvLine(csv.map((name) => csvValue(name, fields[name])));
	}
	const heading = csv.map((name) => name.replace(CENTS, '_usd'));
	return (rows, isFirst) => [...(isFirst ? [csvLine(heading)] : []), ...rows.map(lineOf)];
}

const CENTS = /_usd_cents$/;

function csvValue(name: string, value: unknown): string | number {
	return CENTS.test(name) && typeof value === 'number' ? usd(value) : ((value ?? '') as string | number);
}

/** The columns of a later part are not narrower than those before. */
function tableOf<Item, Fields>({ table, cells }: ListForm<Item, Fields>): LinesOf<Fields> {
	const widths: number[] = [];
	return (rows, isFirst) => tableLines(table, rows.map(cells), widths).slice(isFirst ? 0 : 1);
}
