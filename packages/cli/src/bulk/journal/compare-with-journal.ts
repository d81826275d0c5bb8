import type { Input, InputLine } from '../input/read-input.ts';
import type { FoundJournal } from './journal-file.ts';
import { historiesOf, type LineHistory, NOT_BEGUN, type Standing, standingOf } from './line-history.ts';

/** A line of the file, with what the journal tells about it. */
export interface ComparedLine {
	readonly input: InputLine;
	/** The line of the journal that this line continues; `undefined` if the journal has no such line. */
	readonly journalLine: number | undefined;
	readonly standing: Standing;
}

/**
 * The lines of a file, with what the journal tells about each. If the file has changed since the journal was begun, a
 * line continues a journal line with the same username, amount and reference. Lines that were done are matched first, so that none
 * of them is sent again. `serviceTime` as for `standingOf`.
 */
export function compareWithJournal(input: Input, found: FoundJournal, serviceTime: Date | undefined): ComparedLine[] {
	const histories = historiesOf(found.entries);
	const isUnchanged = found.header.input_sha256 === input.sha256;
	const journalLineOf = isUnchanged ? ({ line }: InputLine) => line : matchByContent(histories, serviceTime);
	return input.lines.map((line) => {
		const journalLine = journalLineOf(line);
		const history = histories.get(journalLine ?? 0) ?? NOT_BEGUN;
		return { input: line, journalLine, standing: standingOf(history, serviceTime) };
	});
}

const MATCHED_FIRST: readonly Standing[] = ['done', 'username_taken', 'unknowable', 'to_look_for', 'to_send'];

/** Returns a function that finds the journal line with the same content. It finds each journal line at most once. */
function matchByContent(histories: ReadonlyMap<number, LineHistory>, serviceTime: Date | undefined) {
	const ranked = [...histories].map(([line, history]) => {
		return { line, content: history.begun?.content, rank: MATCHED_FIRST.indexOf(standingOf(history, serviceTime)) };
	});
	// In reverse, because `pop` takes from the end.
	ranked.sort((one, other) => other.rank - one.rank || other.line - one.line);
	const linesOf = Map.groupBy(ranked, ({ content }) => content && keyOf(content));
	return (input: InputLine) => linesOf.get(keyOf(input))?.pop()?.line;
}

function keyOf({ username, amountCents, reference = '' }: Omit<InputLine, 'line'>): string {
	return `${username},${amountCents},${reference}`;
}
