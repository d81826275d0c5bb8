import { existsSync, lstatSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { AMOUNT_HEADING, REFERENCE_HEADING, TERMS_HEADINGS, USERNAME_HEADING } from '@bursar/contract/bulk';
import { CommandError, say, UsageError } from '@bursar/terminal';
import { printJson } from '../../output/json.ts';
import { counted } from '../../output/units.ts';
import { type Change, contentFields } from '../changes.ts';
import { finishFile, unfinishedName, writeUnfinished } from '../files/durable-file.ts';
import { realPath } from '../files/real-path.ts';
import { readRegularFile } from '../files/regular-file.ts';
import { type InputLine, MOST_INPUT_MEBIBYTES, sha256Of } from '../input/read-input.ts';
import { findJournal, handedOnError } from '../journal/find-journal.ts';
import type { FoundJournal, HandedOn, JournalHeader } from '../journal/journal-file.ts';
import { lockJournal } from '../journal/lock-journal.ts';
import { endJournal } from '../journal/open-journal.ts';
import type { JournalledWork } from '../plan.ts';
import type { RemainingLines } from './find-remaining-lines.ts';
import { type SettledLine, settleRemoved } from './settle-removed.ts';

const MOST_NAMES_SHOWN = 5;

/**
 * Writes the remaining lines to a new file, and ends the journal of the first file, so that no line belongs to both.
 * If a line may have taken effect and can still be looked for, its history goes to the journal of the new file.
 *
 * First it writes the new file and its journal under temporary names. Then the first journal records its end. Then both
 * get their names. After a crash in between, the same command does the last step.
 */
export async function writeRemaining(work: JournalledWork, file: string): Promise<void> {
	const { change, session, path } = work;
	const to = realPath(file);
	const found = findJournal(path, { operation: change.operation, url: session.url });
	if (found === undefined) {
		throw new UsageError(`there is no journal ${path}: no line of this file was done yet`, 'no_journal');
	}
	const { handedOn } = found;
	if (handedOn === undefined) refuseExisting(to);
	else if (!isUnfinished(handedOn, to)) throw handedOnError(handedOn);

	const release = lockJournal(journalOf(to));
	try {
		if (handedOn === undefined) await handOn(work, found, to);
		else {
			await finish(to);
			if (work.options.json) printJson({ file: to }, true);
			else say(`finished the interrupted command: the remaining lines are in ${to}`);
		}
	} finally {
		release();
	}
}

async function handOn(work: JournalledWork, found: FoundJournal, to: string): Promise<void> {
	const { change, path } = work;
	refuseExisting(to);
	const { remaining, settled } = await settleRemoved(work, found);
	if (remaining.lines.length > 0) {
		const text = textOf(remaining.lines, change);
		const sha256 = sha256Of(text);
		await writeBoth(to, text, journalText({ ...found.header, input_sha256: sha256 }, remaining));
		await endJournal(path, found, { state: 'handed_on', to, sha256, at: new Date().toISOString() });
		await finish(to);
	}
	report(work, { remaining, settled, to });
}

async function writeBoth(to: string, text: string, journal: string | undefined): Promise<void> {
	try {
		await rm(unfinishedName(journalOf(to)), { force: true });
		if (journal !== undefined) await writeUnfinished(journalOf(to), journal);
		await writeUnfinished(to, text);
	} catch (cause) {
		throw new CommandError('left_failed', `${to} could not be written: ${(cause as Error).message}`);
	}
}

/** The journal comes first: without it, a line that may have taken effect would be sent again. */
async function finish(to: string): Promise<void> {
	try {
		if (existsSync(unfinishedName(journalOf(to)))) await finishFile(journalOf(to));
		await finishFile(to);
	} catch (cause) {
		const message = `${to} could not get its name (${(cause as Error).message}): run the same command again to finish`;
		throw new CommandError('left_failed', message);
	}
}

/** Begins with a heading, because the first username could look like one. */
function textOf(lines: readonly InputLine[], { hasAmounts, hasTerms }: Change): string {
	if (hasTerms) return termsText(lines);
	const isWithReferences = lines.some(({ reference }) => reference !== undefined);
	const heading = [
		...[USERNAME_HEADING, ...(hasAmounts ? [AMOUNT_HEADING] : [])],
		...(isWithReferences ? [REFERENCE_HEADING] : []),
	];
	const rows = lines.map(({ username, amountCents, reference = '' }) => [
		...[username, ...(hasAmounts ? [amountCents] : [])],
		...(isWithReferences ? [quoted(reference)] : []),
	]);
	return `${[heading, ...rows].map((cells) => cells.join()).join('\n')}\n`;
}

function termsText(lines: readonly InputLine[]): string {
	const heading = [USERNAME_HEADING, AMOUNT_HEADING, ...TERMS_HEADINGS];
	const rows = lines.map(({ username, terms: { amountCents = 0, limits = {}, ...texts } = {} }) => {
		const cells = TERMS_HEADINGS.map((name) => ({ ...limits, ...texts })[name] ?? '');
		const written = cells.map((cell) => (Array.isArray(cell) ? cell.join(' ') : String(cell)));
		return [username, amountCents > 0 ? String(amountCents) : '', ...written.map(quoted)];
	});
	return `${[heading, ...rows].map((cells) => cells.join()).join('\n')}\n`;
}

/** As it is: what protects spreadsheets would change it. */
function quoted(reference: string): string {
	return /[",]/.test(reference) ? `"${reference.replaceAll('"', '""')}"` : reference;
}

/** `undefined` if no line has a history. Then the file may still be changed before its first run. */
function journalText(header: JournalHeader, { entries }: RemainingLines): string | undefined {
	if (entries.length === 0) return undefined;
	const lines = [{ ...header, began: new Date().toISOString() }, ...entries];
	return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

function isUnfinished({ to, sha256 }: HandedOn, wanted: string): boolean {
	if (to !== wanted || existsSync(to) || !existsSync(unfinishedName(to))) return false;
	const bytes = readRegularFile(unfinishedName(to), MOST_INPUT_MEBIBYTES);
	return bytes !== undefined && sha256Of(bytes) === sha256;
}

/** Also refuses an existing journal, which would belong to another file. */
function refuseExisting(to: string): void {
	const existing = [to, journalOf(to)].find((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
	if (existing !== undefined) throw new UsageError(`${existing} exists already. Nothing was written`, 'file_exists');
}

function journalOf(file: string): string {
	return `${file}.journal`;
}

interface Report {
	readonly remaining: RemainingLines;
	readonly settled: readonly SettledLine[];
	readonly to: string;
}

function report(work: JournalledWork, said: Report): void {
	if (work.options.json) printJson(reportFields(work, said), true);
	else for (const line of reportLines(work, said)) say(line);
}

function reportFields({ change }: JournalledWork, { remaining, settled, to }: Report) {
	const { lines, unknown, neverAgain, movedOtherwise } = remaining;
	const lineFields = ({ line, ...content }: InputLine) => ({ line, ...contentFields(content, change) });
	return {
		file: lines.length > 0 ? to : null,
		lines: lines.length,
		spends_max_cents: change.maxSpendCents(lines),
		never_again: neverAgain,
		settled: settled.map((line) => ({ ...lineFields(line), state: line.state })),
		unknown: unknown.map(lineFields),
		moved_otherwise: movedOtherwise,
	};
}

function reportLines({ change, input }: JournalledWork, { remaining, settled, to }: Report): string[] {
	const { lines, entries, unknown, neverAgain, movedOtherwise } = remaining;
	const of = counted(input.lines.length, 'line');
	const more = movedOtherwise.length > MOST_NAMES_SHOWN ? ', ...' : '';
	const names = movedOtherwise.slice(0, MOST_NAMES_SHOWN).join(', ') + more;
	const said = [
		lines.length === 0 && `nothing is left of ${of}, so nothing was written`,
		lines.length > 0 && `${lines.length} of ${of} left, to ${change.describe(lines)}: ${to}`,
		entries.length > 0 &&
			`some of them may have taken effect and are looked for first, by ${journalOf(to)}: keep both files as they are`,
		neverAgain > 0 && `never tried again, because another reseller has the username: ${counted(neverAgain, 'line')}`,
		...settled.map(({ line, username, state }) =>
			state === 'done'
				? `was done, so it is not left: line ${line}, ${username}`
				: `was not done, and can no longer be: line ${line}, ${username}`,
		),
		...unknown.map(({ line, username }) => `outcome unknown, and never sent again: line ${line}, ${username}`),
		movedOtherwise.length > 0 &&
			`careful: lines with other amounts or references were sent before for ${names}. The remaining lines are sent in addition`,
	];
	return said.filter((line) => line !== false);
}
