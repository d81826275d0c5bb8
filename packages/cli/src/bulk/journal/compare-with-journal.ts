import type { Change } from '../changes.ts';
import type { Input, InputLine } from '../input/read-input.ts';
import type { FoundJournal } from './journal-file.ts';
import { historiesOf, type LineHistory, NOT_BEGUN, nextStep } from './line-history.ts';

/** A line of the file, with what the journal tells about it. */
export interface ComparedLine {
	readonly input: InputLine;
	/** The line of the journal that this line continues; `undefined` if the journal has no such line. */
	readonly journalLine: number | undefined;
	readonly standing: Standing;
}

/**
 * What the journal means for a line.
 * - `to_send`: it has not taken effect.
 * - `to_look_for`: it may have taken effect, and a look can tell.
 * - `unknowable`: it may have taken effect, and nothing can tell. It must never be sent again.
 * - `username_taken`: another reseller has its username, and another try would cost the fee again.
 */
export type Standing = 'to_send' | 'to_look_for' | 'unknowable' | 'username_taken' | 'done';

export function standingOf(history: LineHistory, operation: Change['operation']): Standing {
	const step = nextStep(history, operation, true);
	if (step === 'send') return 'to_send';
	if (step === 'look') return 'to_look_for';
	if (history.state === 'done') return 'done';
	return history.state === 'not_done' ? 'username_taken' : 'unknowable';
}

/**
 * The lines of a file, with what the journal tells about each. If the file has changed since the journal was begun, a
 * line continues a journal line with the same username and amount. Lines that were done are matched first, so that none
 * of them is sent again.
 */
export function compareWithJournal(input: Input, found: FoundJournal): ComparedLine[] {
	const { operation, input_sha256: sha256 } = found.header;
	const histories = historiesOf(found.entries, operation);
	const isUnchanged = sha256 === input.sha256;
	const journalLineOf = isUnchanged ? ({ line }: InputLine) => line : matchByContent(histories, operation);
	return input.lines.map((line) => {
		const journalLine = journalLineOf(line);
		const history = histories.get(journalLine ?? 0) ?? NOT_BEGUN;
		return { input: line, journalLine, standing: standingOf(history, operation) };
	});
}

const MATCHED_FIRST: readonly Standing[] = ['done', 'username_taken', 'unknowable', 'to_look_for', 'to_send'];

/** Returns a function that finds the journal line with the same content. It finds each journal line at most once. */
function matchByContent(histories: ReadonlyMap<number, LineHistory>, operation: Change['operation']) {
	const ranked = [...histories].map(([line, history]) => {
		const rank = MATCHED_FIRST.indexOf(standingOf(history, operation));
		return { line, content: history.content, rank };
	});
	// In reverse, because `pop` takes from the end.
	ranked.sort((one, other) => other.rank - one.rank || other.line - one.line);
	const linesOf = Map.groupBy(ranked, ({ content }) => content && keyOf(content));
	return (input: InputLine) => linesOf.get(keyOf(input))?.pop()?.line;
}

function keyOf({ username, amountCents }: Omit<InputLine, 'line'>): string {
	return `${username},${amountCents}`;
}
