import type { Change } from './changes.ts';
import { type LineHistory, nextStep, UNTOUCHED } from './history.ts';
import type { Input, InputLine } from './input.ts';
import { readHistories } from './journal.ts';
import type { FoundJournal } from './journal-file.ts';

/** A line of the file, with what the journal tells about it. */
export interface PriorLine {
	readonly input: InputLine;
	/** The line of the journal that this line continues; `undefined` if the journal has no such line. */
	readonly priorLine: number | undefined;
	readonly standing: Standing;
}

/**
 * What the journal means for a line.
 * - `left`: it has not taken effect.
 * - `open`: it may have taken effect, and a look can tell.
 * - `lost`: it may have taken effect, and nothing can tell. It must never be sent again.
 * - `taken`: another reseller has its username, and another try would cost the fee again.
 */
export type Standing = 'left' | 'open' | 'lost' | 'taken' | 'done';

export function standingOf(history: LineHistory, operation: Change['operation']): Standing {
	const step = nextStep(history, operation, true);
	if (step === 'send') return 'left';
	if (step === 'look') return 'open';
	if (history.state === 'done') return 'done';
	return history.state === 'not_done' ? 'taken' : 'lost';
}

/**
 * The lines of a file, with what the journal tells about each. If the file has changed since the journal was begun, a
 * line continues a journal line with the same username and amount. Lines that were done are matched first, so that no
 * line that was done is left.
 */
export function priorLines(input: Input, found: FoundJournal): PriorLine[] {
	const { operation, input_sha256: sha256 } = found.header;
	const histories = readHistories(found, operation);
	const priorLineOf = sha256 === input.sha256 ? ({ line }: InputLine) => line : takerOfEqualLines(histories, operation);
	return input.lines.map((line) => {
		const priorLine = priorLineOf(line);
		const history = histories.get(priorLine ?? 0) ?? UNTOUCHED;
		return { input: line, priorLine, standing: standingOf(history, operation) };
	});
}

const TAKEN_FIRST: readonly Standing[] = ['done', 'taken', 'lost', 'open', 'left'];

/** Matches each line of the journal at most once. */
function takerOfEqualLines(histories: ReadonlyMap<number, LineHistory>, operation: Change['operation']) {
	const ranked = [...histories].map(([line, history]) => {
		const rank = TAKEN_FIRST.indexOf(standingOf(history, operation));
		return { line, subject: history.subject, rank };
	});
	// In reverse, because `pop` takes from the end.
	ranked.sort((one, other) => other.rank - one.rank || other.line - one.line);
	const linesOf = Map.groupBy(ranked, ({ subject }) => subject && keyOf(subject));
	return (input: InputLine) => linesOf.get(keyOf(input))?.pop()?.line;
}

function keyOf({ username, amountCents }: Omit<InputLine, 'line'>): string {
	return `${username},${amountCents}`;
}
