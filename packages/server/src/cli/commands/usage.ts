import { once } from 'node:events';
import { fstatSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { CommandError, printTable, say, standardError, withProgress } from '@bursar/terminal';
import { Command, InvalidArgumentError } from 'commander';
import type { UsageCorrection } from '../../domain/operators/usage-correction.ts';
import { startOfDayMs, usageDayOf } from '../../domain/usage.ts';
import { parseTimestamp } from '../../domain/usage-report.ts';
import { integer, username, words } from '../arguments.ts';
import { commandLineAct } from '../command-line-act.ts';
import { iso, printResult } from '../output.ts';
import { refusalError } from '../refusals.ts';
import { inSession } from '../session.ts';
import { systemUser } from '../system-user.ts';

interface Options {
	readonly json?: boolean;
}

interface Correction extends Options {
	readonly up: number;
	readonly down: number;
	readonly reason: string;
	readonly reference: string;
}
/** Of a file's name, for the list of what was done. */
const MAX_TARGET_CHARACTERS = 100;

/** `bursar usage ...` */
export function usageCommand(): Command {
	const usage = new Command('usage').description('Import the bandwidth that proxy hosts report, and correct it.');
	usage.addHelpText('after', '\nExample:\n  $ bursar usage import reports.ndjson\n');
	usage
		.command('import')
		.description('count usage reports, one JSON object a line; a report is never counted twice')
		.argument('<file>', 'a file, or - for standard input')
		.addHelpText(
			'after',
			`
A report: {"source":"host-1","id":"17","username":"alice","timestamp":"2026-11-21T10:00:00Z","up":1024,"down":4096}
Lines that cannot be counted are named on standard error. The other lines are counted, and the exit code is 1.
If the import is interrupted, run it again from the start.

Example:
  $ bursar usage import reports.ndjson
`,
		)
		.action((file: string, options: Options) => importFile(file, options));
	usage
		.command('correct')
		.description('add bytes to a day of an account; negative numbers take bytes away')
		.argument('<username>', 'username of the account', username)
		.argument('<day>', 'UTC day, like 2026-11-21', day)
		.option('--up <bytes>', 'bytes from the client of the proxy', bytes, 0)
		.option('--down <bytes>', 'bytes to the client of the proxy', bytes, 0)
		.requiredOption('--reason <text>', 'why, for the people of the reseller; at most 200 characters', words)
		.requiredOption(
			'--reference <text>',
			'your own name for this correction; a repeat with the same name changes nothing',
			words,
		)
		.addHelpText(
			'after',
			`
The total of the day must not be below zero. The day of the reseller changes too. Corrections are never removed: to take
one back, make another one.

Example:
  $ bursar usage correct alice 2026-11-21 --up -1024 --down -4096 --reference fix-17 --reason 'Counted twice'
`,
		)
		.action((name: string, ofDay: number, options: Correction) => correctUsage(name, ofDay, options));
	usage
		.command('corrections')
		.description('list corrections, the newest first')
		.argument('[username]', 'only those of this account', username)
		.addHelpText('after', '\nExample:\n  $ bursar usage corrections --json\n')
		.action((name: string | undefined, options: Options) => listCorrections(name, options));
	return usage;
}

async function correctUsage(name: string, ofDay: number, options: Correction): Promise<void> {
	const { up, down, reason, reference } = options;
	const outcome = await inSession(({ bank, requestId }) =>
		bank.changePerson({
			kind: 'correct_usage',
			reference,
			username: name,
			day: ofDay,
			bytesUp: up,
			bytesDown: down,
			reason,
			madeBy: systemUser(),
			requestId,
		}),
	);
	if (!outcome.ok) throw refusalError(outcome);
	const { bytesUp, bytesDown, repeated } = outcome;
	printResult({ username: name, day: dayText(ofDay), up: bytesUp, down: bytesDown, reference, repeated }, options.json);
	if (repeated && !options.json) say('That reference was used before: nothing was changed now.');
}

async function listCorrections(name: string | undefined, { json }: Options): Promise<void> {
	const corrections = await inSession(async ({ store }) => {
		const all: UsageCorrection[] = [];
		for (;;) {
			const page = await store.listUsageCorrections({ username: name, after: all.at(-1), limit: 1000 });
			if (page.length === 0) return all;
			all.push(...page);
		}
	});
	const rows = corrections.map((correction) => ({
		made: iso(correction.atMs),
		username: correction.username,
		day: dayText(correction.day),
		up: correction.bytesUp,
		down: correction.bytesDown,
		by: correction.madeBy,
		reference: correction.reference,
		reason: correction.reason,
		request_id: correction.requestId,
	}));
	if (json) return printResult({ corrections: rows }, true);
	printTable(
		[
			{ title: 'MADE' },
			{ title: 'USERNAME' },
			{ title: 'DAY' },
			{ title: 'UP', isNumber: true },
			{ title: 'DOWN', isNumber: true },
			{ title: 'BY' },
			{ title: 'REFERENCE' },
			{ title: 'REASON' },
		],
		rows.map(({ made, username, day, up, down, by, reference, reason }) => [
			made,
			username,
			day,
			String(up),
			String(down),
			by,
			reference,
			reason,
		]),
	);
}

/** A UTC day, in days since 1970-01-01. */
function day(text: string): number {
	const atMs = /^\d{4}-\d{2}-\d{2}$/.test(text) ? parseTimestamp(`${text}T00:00:00Z`) : undefined;
	if (atMs === undefined) throw new InvalidArgumentError('It must be a day like 2026-11-21.');
	return usageDayOf(atMs);
}

function dayText(ofDay: number): string {
	return iso(startOfDayMs(ofDay)).slice(0, 10);
}

function bytes(text: string): number {
	return integer(text, /^-?\d{1,16}$/, Number.MAX_SAFE_INTEGER);
}

async function importFile(file: string, { json }: Options): Promise<void> {
	const input = file === '-' ? standardInput() : await openFile(file);
	const [{ importUsage }, { plainText }] = await Promise.all([
		import('../usage-import.ts'),
		import('../plain-text.ts'),
	]);
	const counts = await inSession(async ({ bank, requestId }) => {
		const target = basename(file).slice(0, MAX_TARGET_CHARACTERS);
		const recorded = commandLineAct({ kind: 'import_usage', target }, requestId);
		const begun = await bank.changePerson({ kind: 'import_usage', recorded });
		if (!begun.ok) throw refusalError(begun);
		return withProgress('importing usage', (progress) =>
			importUsage(bank, plainText(input, file), {
				async onRefused(line, reason) {
					const isTaken = progress.say(json ? JSON.stringify({ line, refused: reason }) : `line ${line}: ${reason}`);
					// There may be millions of lines, so it waits for the reader, unless the reader is gone.
					if (!isTaken) await once(standardError(), 'drain').catch(() => {});
				},
				onProgress: (reports) => progress.update(`importing usage: ${reports.toLocaleString('en')} reports`),
			}),
		);
	});
	printResult({ ...counts }, json);
	if (counts.refused > 0) throw new CommandError('reports_refused', `${counts.refused} line(s) were refused`);
}

/** Opens the file before anything else is done, so that a wrong name is reported at once. */
async function openFile(name: string): Promise<AsyncIterable<Buffer>> {
	const file = await open(name).catch((cause: NodeJS.ErrnoException) => {
		throw unreadable(name, cause.code === 'ENOENT' ? 'there is no such file' : `${cause.code}`);
	});
	if ((await file.stat()).isDirectory()) {
		await file.close();
		throw unreadable(name, 'it is a folder');
	}
	return file.createReadStream({ highWaterMark: 1 << 20 });
}

/** Node reads a folder as an empty input. */
function standardInput(): AsyncIterable<Buffer> {
	if (fstatSync(0).isDirectory()) throw unreadable('standard input', 'it is a folder');
	return process.stdin;
}

function unreadable(name: string, reason: string): CommandError {
	return new CommandError('unreadable_file', `${name} cannot be read: ${reason}`);
}
