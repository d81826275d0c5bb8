import type { JournalEntry } from './history.ts';
import type { Input, InputLine } from './input.ts';
import { readHistories } from './journal.ts';
import type { FoundJournal } from './journal-file.ts';
import { priorLines, standingOf } from './prior-lines.ts';

/** The remaining lines of a file, for a new file. */
export interface Leftover {
	/** In order, with their line numbers in the first file. */
	readonly lines: readonly InputLine[];
	/** The journal entries of lines that may have taken effect, with their line numbers in the new file. */
	readonly entries: readonly JournalEntry[];
	/** Lines of the journal whose outcome is unknown and which do not go to the new file. */
	readonly unknown: readonly InputLine[];
	/** How many lines would cost the fee again, because other resellers have their usernames. */
	readonly notAgain: number;
	/** Usernames for which the journal has moved an amount that is no longer in the file. */
	readonly movedOtherwise: readonly string[];
}

/** A heading is the first line of the new file. */
const FIRST_LINE = 2;

export function leftoverOf(input: Input, found: FoundJournal): Leftover {
	const { operation } = found.header;
	const prior = priorLines(input, found);
	const left = prior.filter(({ standing }) => standing === 'left' || standing === 'open');
	const newLineOf = new Map<number, number>();
	for (const [place, { priorLine, standing }] of left.entries()) {
		if (standing === 'open' && priorLine !== undefined) newLineOf.set(priorLine, place + FIRST_LINE);
	}
	const entries = found.entries.flatMap((entry) => {
		const line = newLineOf.get(entry.line);
		return line === undefined ? [] : [{ ...entry, line }];
	});

	const unknown: InputLine[] = [];
	const movedOtherwise = new Set<string>();
	const met = new Set(prior.map(({ priorLine }) => priorLine));
	const leftAnew = new Set(left.filter(({ priorLine }) => !priorLine).map((line) => line.input.username));
	for (const [line, history] of readHistories(found, operation)) {
		const standing = standingOf(history, operation);
		if (history.subject === undefined || standing === 'left' || standing === 'taken') continue;
		if (standing !== 'done' && !newLineOf.has(line)) unknown.push({ line, ...history.subject });
		if (!met.has(line) && leftAnew.has(history.subject.username)) movedOtherwise.add(history.subject.username);
	}
	return {
		lines: left.map((line) => line.input),
		entries,
		unknown,
		notAgain: prior.filter(({ standing }) => standing === 'taken').length,
		movedOtherwise: [...movedOtherwise],
	};
}
