import { createHash } from 'node:crypto';
import { type BulkForm, type BulkLine, decodeBulkText, readBulkFile } from '@bursar/contract/bulk';
import { UsageError } from '@bursar/terminal';
import { readRegularFile } from '../files/regular-file.ts';

/** One line of the file of a bulk form. */
export type InputLine = BulkLine;
export type InputForm = BulkForm;

export interface Input {
	readonly lines: readonly InputLine[];
	/** The digest of the file's bytes, in hex. A journal belongs to it. */
	readonly sha256: string;
	/** The line number of the heading, if there is one. */
	readonly headingLine?: number;
}

/** @bound The file of `--all`: a larger one is refused. */
export const MOST_INPUT_MEBIBYTES = 64;

/** Reads and checks the whole file before anything is sent. Throws a `UsageError` that names the bad lines. */
export function readInput(file: string, form: InputForm): Input {
	const bytes = readBytes(file);
	const text = decodeBulkText(bytes);
	if (text === undefined) throw new UsageError(`${file} is not UTF-8 text. Nothing was sent`, 'invalid_input');
	const found = readBulkFile(text, form);
	const { lines, headingLine, problems, problemCount } = found;
	if (problemCount > 0) {
		const shown = problems.map(({ line, problem }) => `${file}:${line}: ${problem}`).join('; ');
		const more = problemCount > problems.length ? `; and ${problemCount - problems.length} more` : '';
		throw new UsageError(`${shown}${more}. Nothing was sent`, 'invalid_input');
	}
	if (lines.length === 0) throw new UsageError(`${file} has no lines to work on`, 'invalid_input');
	return { lines, sha256: sha256Of(bytes), ...(headingLine !== undefined && { headingLine }) };
}

export function sha256Of(content: Buffer | string): string {
	return createHash('sha256').update(content).digest('hex');
}

function readBytes(file: string): Buffer {
	if (file === '-') throw new UsageError('--all needs a file, because its journal is stored next to it');
	const bytes = readRegularFile(file, MOST_INPUT_MEBIBYTES);
	if (bytes === undefined) throw new UsageError(`${file} does not exist. Nothing was sent`, 'unreadable_file');
	return bytes;
}
