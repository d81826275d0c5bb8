import type { Change } from './changes.ts';
import { type LineHistory, nextStep, UNTOUCHED } from './history.ts';
import type { Input, InputLine } from './input.ts';
import { readHistories } from './journal.ts';
import type { FoundJournal } from './journal-file.ts';

/** A line of the file, with what a journal tells of it. */
export interface PriorLine {
	readonly input: InputLine;
	/** The line of the journal that this one goes on from; `undefined` if the journal has begun none like it. */
	readonly priorLine: number | undefined;
	readonly standing: Standing;
}

/**
 * What is to be done for a line.
 * - `left`: nothing of it has taken effect.
 * - `open`: it may have, and can still be looked for.
 * - `lost`: it may have, and nobody can tell: it must never be sent again.
 * - `taken`: its name belongs to somebody else, and trying again would cost the fee again.
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
 * The lines of a file, with what a journal tells of each, also if the file has changed since the journal was begun.
 * Then a line goes on from one with the same username and amount. What was done counts first, so that nothing is left
 * that was done.
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

/** Each line of the journal can be taken once. */
function takerOfEqualLines(histories: ReadonlyMap<number, LineHistory>, operation: Change['operation']) {
	const ranked = [...histories].map(([line, history]) => {
		const rank = TAKEN_FIRST.indexOf(standingOf(history, operation));
		return { line, subject: history.subject, rank };
	});
	// From the end, where taking one is cheap.
	ranked.sort((one, other) => other.rank - one.rank || other.line - one.line);
	const linesOf = Map.groupBy(ranked, ({ subject }) => subject && keyOf(subject));
	return (input: InputLine) => linesOf.get(keyOf(input))?.pop()?.line;
}

function keyOf({ username, amountCents }: Omit<InputLine, 'line'>): string {
	return `${username},${amountCents}`;
}
