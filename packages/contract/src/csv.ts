import { visible } from './visible.ts';

/** Characters at which spreadsheets begin a formula. Some also accept the wide forms, or skip white space before them. */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/;
/** The same behind a semicolon, at which spreadsheets of some countries split lines. */
const LATER_FORMULA = /;(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
/** A number in plain digits is no formula. */
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/**
 * A line of CSV (RFC 4180), without its line end. Text comes from outside: if it begins like a formula, it gets an
 * apostrophe, so that a spreadsheet shows it and does not run it. Numbers stay as they are, also as text.
 */
export function csvLine(cells: readonly (string | number)[]): string {
	return cells.map(csvCell).join(',');
}

function csvCell(value: string | number): string {
	if (typeof value === 'number') return String(value);
	const isFormula = FORMULA.test(value) && !NUMBER.test(value);
	const text = visible((isFormula ? `'${value}` : value).replace(LATER_FORMULA, ";'"));
	return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
