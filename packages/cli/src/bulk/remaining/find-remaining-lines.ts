import type { Input, InputLine } from '../input/read-input.ts';
import { compareWithJournal } from '../journal/compare-with-journal.ts';
import type { FoundJournal } from '../journal/journal-file.ts';
import { type BegunChange, historiesOf, type JournalEntry, standingOf } from '../journal/line-history.ts';

/** The remaining lines of a file, for a new file. */
export interface RemainingLines {
	/** In order, with their line numbers in the first file. */
	readonly lines: readonly InputLine[];
	/** The journal entries of lines that may have taken effect, with their line numbers in the new file. */
	readonly entries: readonly JournalEntry[];
	/** Lines of the journal whose outcome is unknown and which do not go to the new file. */
	readonly unknown: readonly InputLine[];
	/** Those of them that the service can still tell about, and whose requests may be on their way. */
	readonly onTheirWay: readonly (InputLine & { readonly begun: BegunChange })[];
	/** How many lines would cost the fee again, because other resellers have their usernames. */
	readonly neverAgain: number;
	/** Usernames for which the journal has moved an amount, or for a reference, that is no longer in the file. */
	readonly movedOtherwise: readonly string[];
}

/** A heading is the first line of the new file. */
const FIRST_LINE = 2;

/** `serviceTime` as for `standingOf`. */
export function findRemainingLines(input: Input, found: FoundJournal, serviceTime: Date | undefined): RemainingLines {
	const compared = compareWithJournal(input, found, serviceTime);
	const remaining = compared.filter(({ standing }) => standing === 'to_send' || standing === 'to_look_for');
	const newLineOf = new Map<number, number>();
	for (const [index, { journalLine, standing }] of remaining.entries()) {
		if (standing === 'to_look_for' && journalLine !== undefined) newLineOf.set(journalLine, index + FIRST_LINE);
	}
	const entries = found.entries.flatMap((entry) => {
		const line = newLineOf.get(entry.line);
		return line === undefined ? [] : [{ ...entry, line }];
	});

	const inFile = new Set(compared.map(({ journalLine }) => journalLine));
	const namesOfNewLines = new Set(
		remaining.filter(({ journalLine }) => journalLine === undefined).map((line) => line.input.username),
	);
	const unknown: InputLine[] = [];
	const onTheirWay: RemainingLines['onTheirWay'][number][] = [];
	const movedOtherwise = new Set<string>();
	for (const [line, history] of historiesOf(found.entries)) {
		const standing = standingOf(history, serviceTime);
		const { begun } = history;
		if (begun === undefined || standing === 'to_send' || standing === 'username_taken') continue;
		const { content } = begun;
		if (standing !== 'done' && !newLineOf.has(line)) {
			unknown.push({ line, ...content });
			if (standing === 'to_look_for') onTheirWay.push({ line, ...content, begun });
		}
		if (!inFile.has(line) && namesOfNewLines.has(content.username)) movedOtherwise.add(content.username);
	}
	return {
		lines: remaining.map((line) => line.input),
		entries,
		unknown,
		onTheirWay,
		neverAgain: compared.filter(({ standing }) => standing === 'username_taken').length,
		movedOtherwise: [...movedOtherwise],
	};
}
