import { existsSync } from 'node:fs';
import { UsageError, usd } from '@bursar/terminal';
import type { GlobalOptions } from '../global-options.ts';
import { counted } from '../output/units.ts';
import type { Session } from '../session.ts';
import type { BulkOptions } from './bulk-options.ts';
import type { Change } from './changes.ts';
import { unfinishedName } from './durable-file.ts';
import { type LineHistory, nextStep, UNTOUCHED } from './history.ts';
import type { Input, InputLine } from './input.ts';
import { findJournal, readHistories } from './journal.ts';
import type { FoundJournal, HandedOn } from './journal-file.ts';
import { priorLines, type Standing } from './prior-lines.ts';

/** A bulk form as it was asked for. */
export interface Work {
	readonly change: Change;
	readonly options: GlobalOptions & BulkOptions;
	readonly session: Session;
	readonly input: Input;
	/** Where the journal is, or will be. */
	readonly path: string;
}

/** What there is to do, when nothing has been sent yet. */
export interface Plan extends Work {
	readonly found: FoundJournal | undefined;
	readonly history: (line: number) => LineHistory;
	/** The lines for which there is something to do. */
	readonly pending: readonly InputLine[];
}

/** Reads the journal. Throws a `UsageError` if it is not of this work, or has ended. */
export function planOf(work: Work): Plan {
	const { change, session, input, path } = work;
	const found = findJournal(path, { operation: change.operation, url: session.url });
	if (found?.handedOn) throw handedOnError(found.handedOn);
	if (found && found.header.input_sha256 !== input.sha256) throw changedFile(work, found);
	const histories = readHistories(found, change.operation);
	const history = (line: number) => histories.get(line) ?? UNTOUCHED;
	const pending = input.lines.filter(
		({ line }) => nextStep(history(line), change.operation, session.isSoleWriter) !== 'nothing',
	);
	return { ...work, found, history, pending };
}

export function handedOnError({ to }: HandedOn): UsageError {
	const isFinished = existsSync(to) || !existsSync(unfinishedName(to));
	const advice = isFinished
		? 'go on with that file'
		: `it is not there yet: the same command with --left ${to} finishes it`;
	return new UsageError(
		`the lines that this file had left were handed on to ${to}: ${advice}. Nothing was sent`,
		'handed_on',
	);
}

/** Says what a new journal would do again, which nobody who has corrected one line expects. */
function changedFile({ change, input, path }: Work, found: FoundJournal): UsageError {
	const of = Map.groupBy(priorLines(input, found), ({ standing }) => standing);
	const among = (...standings: Standing[]) =>
		standings.flatMap((standing) => of.get(standing) ?? []).map(({ input }) => input);
	const [done, taken, open] = [among('done'), among('taken'), among('open', 'lost')];
	const again = [
		done.length > 0 && repeatWords(change, done),
		taken.length > 0 && `pay ${usd(change.spends(taken))} USD again for ${counted(taken.length, 'name')} of others`,
		open.length > 0 && `do ${counted(open.length, 'line')} again whose outcome is not known (${change.does(open)})`,
	].filter((words) => words !== false);
	const repeats =
		again.length > 0 ? `a new journal would ${again.join(', and ')}` : 'it has begun no line as it stands there now';
	return new UsageError(
		`the file has changed since the journal ${path} was begun; ${repeats}. Do not begin a new one: --left FILE writes the lines that are left to a file of their own. Nothing was sent`,
		'changed_file',
	);
}

function repeatWords(change: Change, done: readonly InputLine[]): string {
	if (change.operation === 'create')
		return `look again for ${counted(done.length, 'sub-user')} that are there, for nothing`;
	return `${change.does(done)} again, which is done`;
}
