import { UsageError, usd } from '@bursar/terminal';
import type { GlobalOptions } from '../global-options.ts';
import { counted } from '../output/units.ts';
import type { Session } from '../session.ts';
import type { BulkOptions } from './bulk-options.ts';
import type { Change } from './changes.ts';
import { realPath } from './files/real-path.ts';
import type { Input, InputLine } from './input/read-input.ts';
import { compareWithJournal } from './journal/compare-with-journal.ts';
import { findJournal, handedOnError } from './journal/find-journal.ts';
import { type FoundJournal, readJournalFile } from './journal/journal-file.ts';
import { historiesOf, isPending, type LineHistory, NOT_BEGUN, type Standing } from './journal/line-history.ts';

/** The bulk form that the user asked for. */
export interface BulkWork {
	readonly change: Change;
	readonly options: GlobalOptions & BulkOptions;
	readonly session: Session;
	readonly input: Input;
	/** Where the journal is, or will be; `undefined` if there is none. */
	readonly path: string | undefined;
}

/** A bulk form that keeps a journal. */
export interface JournalledWork extends BulkWork {
	readonly path: string;
}

/** What a run would do, before anything is sent. */
export interface Plan extends BulkWork {
	readonly found: FoundJournal | undefined;
	/** The histories of the lines that the journal has. */
	readonly histories: ReadonlyMap<number, LineHistory>;
	/** The history of any line. */
	readonly history: (line: number) => LineHistory;
	/** The lines that are not finished. Lines in doubt are among them, whatever their age: the service is not asked yet. */
	readonly pending: readonly InputLine[];
}

/** Reads the journal. Throws a `UsageError` if it belongs to other work or has ended. */
export function makePlan(work: BulkWork): Plan {
	const { input, path } = work;
	const found = path === undefined ? undefined : findOwnJournal({ ...work, path });
	const histories = historiesOf(found?.entries ?? []);
	const history = (line: number) => histories.get(line) ?? NOT_BEGUN;
	const pending = input.lines.filter(({ line }) => isPending(history(line), undefined));
	return { ...work, found, histories, history, pending };
}

function findOwnJournal(work: JournalledWork): FoundJournal | undefined {
	const { change, session, input, path } = work;
	const found = findJournal(path, { operation: change.operation, url: session.url });
	if (found?.handedOn) throw handedOnError(found.handedOn);
	if (found === undefined) refuseSecondJournal(work);
	if (found && found.header.input_sha256 !== input.sha256) throw changedFile(work, found);
	return found;
}

/** The file's own journal may have the history of lines that must be looked for before they are sent again. */
function refuseSecondJournal({ change, options, session, path }: JournalledWork): void {
	const own = realPath(`${realPath(options.all ?? '')}.journal`);
	const { header } = (path !== own && readJournalFile(own)) || {};
	if (header?.operation !== change.operation || header.url !== session.url) return;
	throw new UsageError(
		`this file has a journal already, ${own}, and a new one would send its lines again. Leave out --journal, or move the old journal away if you want that. Nothing was sent`,
		'other_journal',
	);
}

/** Says what a new journal would repeat: a user who corrected one line does not expect that. */
function changedFile({ change, input, path }: JournalledWork, found: FoundJournal): UsageError {
	const byStanding = Map.groupBy(compareWithJournal(input, found, undefined), ({ standing }) => standing);
	const linesOf = (standing: Standing) => (byStanding.get(standing) ?? []).map((line) => line.input);
	const done = linesOf('done');
	const taken = linesOf('username_taken');
	const inDoubt = linesOf('to_look_for');
	const repeated = [
		done.length > 0 && repeatWords(change, done),
		taken.length > 0 &&
			`pay ${usd(change.maxSpendCents(taken))} USD again for ${counted(taken.length, 'username')} of others`,
		inDoubt.length > 0 &&
			`send ${counted(inDoubt.length, 'line')} again whose outcome is unknown (${change.describe(inDoubt)})`,
	].filter((words) => words !== false);
	const repeats =
		repeated.length > 0 ? `a new journal would ${repeated.join(', and ')}` : 'no line that is in the file now was done';
	return new UsageError(
		`the file has changed since the journal ${path} was begun; ${repeats}. Do not begin a new one: --left FILE writes the remaining lines to a new file. Nothing was sent`,
		'changed_file',
	);
}

function repeatWords(change: Change, done: readonly InputLine[]): string {
	if (change.paysFee) return `look again for ${counted(done.length, 'sub-user')} that you own, for free`;
	return `${change.describe(done)} a second time`;
}
