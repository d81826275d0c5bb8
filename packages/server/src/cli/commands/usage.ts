import { once } from 'node:events';
import { fstatSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { CommandError, standardError, withProgress } from '@bursar/terminal';
import { Command } from 'commander';
import { printResult } from '../output.ts';
import { inSession } from '../session.ts';

interface Options {
	readonly json?: boolean;
}

/** `bursar usage ...` */
export function usageCommand(): Command {
	const usage = new Command('usage').description('Import the bandwidth that proxy hosts report.');
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
	return usage;
}

async function importFile(file: string, { json }: Options): Promise<void> {
	const input = file === '-' ? standardInput() : await openFile(file);
	const [{ importUsage }, { plainText }] = await Promise.all([
		import('../usage-import.ts'),
		import('../plain-text.ts'),
	]);
	const counts = await inSession(({ bank }) =>
		withProgress('importing usage', (progress) =>
			importUsage(bank, plainText(input, file), {
				async onRefused(line, reason) {
					const isTaken = progress.say(json ? JSON.stringify({ line, refused: reason }) : `line ${line}: ${reason}`);
					// There may be millions of lines, so it waits for the reader, unless the reader is gone.
					if (!isTaken) await once(standardError(), 'drain').catch(() => {});
				},
				onProgress: (reports) => progress.update(`importing usage: ${reports.toLocaleString('en')} reports`),
			}),
		),
	);
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
