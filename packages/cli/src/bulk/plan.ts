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
import { type FoundJournal, type HandedOn, readJournalFile } from './journal-file.ts';
import { priorLines, type Standing } from './prior-lines.ts';
import { realPath } from './real-path.ts';

/** The bulk form that the user asked for. */
export interface Work {
	readonly change: Change;
	readonly options: GlobalOptions & BulkOptions;
	readonly session: Session;
	readonly input: Input;
	/** Where the journal is, or will be. */
	readonly path: string;
}

/** What a run would do, before anything is sent. */
export interface Plan extends Work {
	readonly found: FoundJournal | undefined;
	readonly history: (line: number) => LineHistory;
	/** The lines that are not finished. */
	readonly pending: readonly InputLine[];
}

/** Reads the journal. Throws a `UsageError` if it belongs to other work or has ended. */
export function planOf(work: Work): Plan {
	const { change, session, input, path } = work;
	const found = findJournal(path, { operation: change.operation, url: session.url });
	if (found?.handedOn) throw handedOnError(found.handedOn);
	if (found === undefined) refuseSecondJournal(work);
	if (found && found.header.input_sha256 !== input.sha256) throw changedFile(work, found);
	const histories = readHistories(found, change.operation);
	const history = (line: number) => histories.get(line) ?? UNTOUCHED;
	const pending = input.lines.filter(
		({ line }) => nextStep(history(line), change.operation, session.isSoleWriter) !== 'nothing',
	);
	return { ...work, found, history, pending };
}

/** The file's own journal may have the history of lines that must be looked for before they are sent again. */
function refuseSecondJournal({ change, options, session, path }: Work): void {
	const own = realPath(`${realPath(options.all ?? '')}.journal`);
	const { header } = (path !== own && readJournalFile(own)) || {};
	if (header?.operation !== change.operation || header.url !== session.url) return;
	throw new UsageError(
		`this file has a journal already, ${own}, and a new one would send its lines again. Leave out --journal, or move the old journal away if you want that. Nothing was sent`,
		'other_journal',
	);
}

export function handedOnError({ to }: HandedOn): UsageError {
	const isFinished = existsSync(to) || !existsSync(unfinishedName(to));
	const advice = isFinished
		? 'go on with that file'
		: `it is not complete yet: the same command with --left ${to} finishes it`;
	return new UsageError(
		`the remaining lines of this file were moved to ${to}: ${advice}. Nothing was sent`,
		'handed_on',
	);
}

/** Says what a new journal would repeat: a user who corrected one line does not expect that. */
function changedFile({ change, input, path }: Work, found: FoundJournal): UsageError {
	const of = Map.groupBy(priorLines(input, found), ({ standing }) => standing);
	const among = (...standings: Standing[]) =>
		standings.flatMap((standing) => of.get(standing) ?? []).map(({ input }) => input);
	const [done, taken, open] = [among('done'), among('taken'), among('open', 'lost')];
	const again = [
		done.length > 0 && repeatWords(change, done),
		taken.length > 0 && `pay ${usd(change.spends(taken))} USD again for ${counted(taken.length, 'username')} of others`,
		open.length > 0 && `send ${counted(open.length, 'line')} again whose outcome is unknown (${change.does(open)})`,
	].filter((words) => words !== false);
	const repeats =
		again.length > 0 ? `a new journal would ${again.join(', and ')}` : 'no line that is in the file now was done';
	return new UsageError(
		`the file has changed since the journal ${path} was begun; ${repeats}. Do not begin a new one: --left FILE writes the remaining lines to a new file. Nothing was sent`,
		'changed_file',
	);
}

function repeatWords(change: Change, done: readonly InputLine[]): string {
	if (change.operation === 'create') return `look again for ${counted(done.length, 'sub-user')} that you own, for free`;
	return `${change.does(done)} a second time`;
}
