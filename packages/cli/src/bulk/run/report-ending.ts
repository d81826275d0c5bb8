import type { FeeRange } from '@bursar/client';
import { CommandError, type Failure, say } from '@bursar/terminal';
import { exitCodes } from '../../failure.ts';
import type { GlobalOptions } from '../../global-options.ts';
import { feeFields } from '../../output/fields.ts';
import { counted, feeWords } from '../../output/units.ts';
import { type Change, NO_FEE } from '../changes.ts';
import type { InputLine } from '../input/read-input.ts';
import { feeOf, isPending, type LineHistory } from '../journal/line-history.ts';
import type { LineResult } from './record-outcome.ts';

/** How a bulk form ended. */
export interface Ending {
	readonly change: Change;
	readonly options: GlobalOptions;
	readonly lines: readonly InputLine[];
	/** Where the journal is; `undefined` if there is none. */
	readonly path: string | undefined;
	/** The histories of the lines before this run, and now. */
	readonly before: ReadonlyMap<number, LineHistory>;
	readonly history: (line: number) => LineHistory;
	/** The results of this run, by line. */
	readonly results: ReadonlyMap<number, LineResult>;
	readonly stoppedBy?: Failure | undefined;
	readonly serviceTime: Date | undefined;
}

interface Summary {
	readonly done: number;
	readonly doneBefore: number;
	/** How many lines failed, by the code of the failure. */
	readonly notDone: Readonly<Record<string, number>>;
	readonly unknown: readonly InputLine[];
	/** Lines that were not begun. */
	readonly left: number;
	/** What all runs may have paid in fees. */
	readonly fee: FeeRange;
}

/** Prints the summary on stderr. Throws unless all lines are done; the error holds the exit code. */
export function reportEnding(ending: Ending): void {
	const { change, options, lines, path, stoppedBy } = ending;
	const summary = summaryOf(ending);
	if (options.json) say(JSON.stringify({ summary: summaryFields(summary, lines.length) }));
	else if (summary.doneBefore === lines.length) say(`all ${counted(lines.length, 'line')} are done already`);
	else for (const line of summaryLines(summary, change, path)) say(line);
	if (summary.unknown.length > 0) throw unknownError(summary, ending);
	if (stoppedBy !== undefined) throw stoppedError(summary, stoppedBy);
	const failure = firstFailure(ending);
	if (failure === undefined) return;
	const notDone = sum(Object.values(summary.notDone));
	const message = `${counted(notDone, 'line')} could not be done; the first of them: ${failure.message}`;
	throw new CommandError(failure.code, message, failure.exitCode);
}

function summaryOf({ change, lines, before, history }: Ending): Summary {
	const doneBefore = lines.filter(({ line }) => before.get(line)?.state === 'done').length;
	const byState = Object.groupBy(lines, ({ line }) => history(line).state);
	const notDone: Record<string, number> = {};
	for (const { line } of byState.not_done ?? []) {
		const { code = 'failed' } = history(line);
		notDone[code] = (notDone[code] ?? 0) + 1;
	}
	const fees = lines.map(({ line }) => feeOf(history(line), change));
	return {
		done: (byState.done?.length ?? 0) - doneBefore,
		doneBefore,
		notDone,
		unknown: byState.begun ?? [],
		left: byState.not_begun?.length ?? 0,
		fee: fees.reduce(
			(one, other) => ({ minCents: one.minCents + other.minCents, maxCents: one.maxCents + other.maxCents }),
			NO_FEE,
		),
	};
}

function summaryFields({ done, doneBefore, notDone, unknown, left, fee }: Summary, lines: number) {
	return {
		lines,
		done,
		done_before: doneBefore,
		not_done: notDone,
		unknown: unknown.map(({ line, username }) => ({ line, username })),
		left,
		fee: feeFields(fee),
	};
}

function summaryLines(
	{ done, doneBefore, notDone, unknown, left, fee }: Summary,
	change: Change,
	path: string | undefined,
): string[] {
	const reasons = Object.entries(notDone).map(([code, count]) => `${count} ${code}`);
	const counts = [
		`${done} done`,
		doneBefore > 0 && `${doneBefore} done before`,
		reasons.length > 0 && `${sum(Object.values(notDone))} not done (${reasons.join(', ')})`,
		unknown.length > 0 && `${unknown.length} unknown`,
		left > 0 && `${left} not begun`,
	];
	return [
		counts.filter(Boolean).join(', '),
		...(change.paysFee ? [`fees paid for this file: ${feeWords(fee)}`] : []),
		...unknown.map(({ line, username }) => `outcome unknown: line ${line}, ${username}`),
		...(path === undefined ? [] : [`journal: ${path}`]),
		...(path !== undefined && (left > 0 || canBeTriedAgain(notDone))
			? ['the same command goes on with the rest; --left FILE writes the rest to a new file that you can correct']
			: []),
	];
}

/** Another try with a username of another reseller would cost the fee again. */
function canBeTriedAgain(notDone: Summary['notDone']): boolean {
	return Object.keys(notDone).some((code) => code !== 'username_taken');
}

function unknownError({ unknown, left }: Summary, { change, history, stoppedBy, serviceTime }: Ending): CommandError {
	const advice = change.isSetting
		? 'run it again, which does no harm'
		: unknown.some(({ line }) => isPending(history(line), serviceTime))
			? 'run it again to have them looked for'
			: 'look at them yourself: these lines are never sent again';
	const isFaultHere = stoppedBy?.code === 'journal_failed' || stoppedBy?.code === 'output_failed';
	const why = isFaultHere ? `; ${stoppedBy.message}` : '';
	const stopped = stoppedBy && left > 0 ? `; stopped, with ${counted(left, 'line')} not begun` : '';
	const message = `the outcome of ${counted(unknown.length, 'line')} is not known: ${advice}${why}${stopped}`;
	return new CommandError('outcome_unknown', message, exitCodes.outcomeUnknown);
}

function stoppedError({ left }: Summary, { code, message, exitCode }: Failure): CommandError {
	return new CommandError(code, `${message}; stopped, with ${counted(left, 'line')} not begun`, exitCode);
}

/** The failure of the first line that is not done. If this run did not try it, its username was taken. */
function firstFailure({ lines, history, results }: Ending): Failure | undefined {
	const first = lines.find(({ line }) => history(line).state === 'not_done');
	if (first === undefined) return undefined;
	const outcome = results.get(first.line)?.outcome;
	if (outcome && outcome.state !== 'done') return outcome.failure;
	const message = 'another reseller had this username when it was tried';
	return { code: 'username_taken', message, exitCode: exitCodes.refused, details: {} };
}

function sum(counts: readonly number[]): number {
	return counts.reduce((total, count) => total + count, 0);
}
