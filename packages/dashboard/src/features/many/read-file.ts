import { type BulkForm, type BulkProblem, decodeBulkText, readBulkFile } from '@bursar/contract/bulk';
import { MOST_AT_ONCE } from '@bursar/contract/dashboard-limits';
import type { WantedLine } from './run.ts';

/** @bound A file of many sub-users: a larger one is refused. */
const MAX_FILE_BYTES = 1_000_000;

/** The lines of a file that is right as a whole, or why it is not. */
export type ReadFile =
	| { readonly state: 'right'; readonly lines: readonly WantedLine[]; readonly headingLine?: number | undefined }
	| { readonly state: 'wrong'; readonly problem: 'tooLarge' | 'tooMany' | 'notText' | 'unreadable' | 'noLines' }
	| { readonly state: 'bad_lines'; readonly problems: readonly BulkProblem[]; readonly count: number };

/** Reads and checks a whole file, by the same rules as `bursarctl`. */
export async function readFile(file: Pick<File, 'size' | 'arrayBuffer'>, form: BulkForm): Promise<ReadFile> {
	if (file.size > MAX_FILE_BYTES) return { state: 'wrong', problem: 'tooLarge' };
	let text: string | undefined;
	try {
		text = decodeBulkText(new Uint8Array(await file.arrayBuffer()));
	} catch {
		return { state: 'wrong', problem: 'unreadable' };
	}
	if (text === undefined) return { state: 'wrong', problem: 'notText' };
	const { lines, problems, problemCount, headingLine } = readBulkFile(text, form);
	if (problemCount > 0) return { state: 'bad_lines', problems, count: problemCount };
	if (lines.length === 0) return { state: 'wrong', problem: 'noLines' };
	if (lines.length > MOST_AT_ONCE) return { state: 'wrong', problem: 'tooMany' };
	const wanted = lines.map(({ amountCents, terms, ...line }): WantedLine => {
		if (!terms) return { ...line, cents: amountCents };
		const { amountCents: cents, limits, note, reference } = terms;
		return {
			...{ ...line, cents },
			...(Object.keys(limits).length > 0 && { limits }),
			...(note !== '' && { note }),
			...(reference !== undefined && { reference }),
		};
	});
	return { state: 'right', lines: wanted, headingLine };
}
