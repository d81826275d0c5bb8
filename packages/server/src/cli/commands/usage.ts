import { createReadStream } from 'node:fs';
import { Command } from 'commander';
import { CommandError, printResult, say } from '../output.ts';
import { withSpinner } from '../progress.ts';
import { inSession } from '../session.ts';
import { importUsage } from '../usage-import.ts';

/** `bursar usage ...` */
export function usageCommand(): Command {
	const usage = new Command('usage').description('Take in the bandwidth that proxy hosts report.');
	usage
		.command('import')
		.description('count usage reports, one JSON object a line; importing them again counts nothing twice')
		.argument('<file>', 'a file, or - for standard input')
		.addHelpText(
			'after',
			`
A report: {"source":"host-1","id":"17","username":"alice","timestamp":"2026-11-21T10:00:00Z","up":1024,"down":4096}
Lines that cannot be counted are named on standard error; the rest is counted, and the exit code is 1.

Example:
  $ bursar usage import reports.ndjson
`,
		)
		.action(async (file: string, options: { json?: boolean }) => {
			const input = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 1 << 20 });
			const counts = await inSession(({ store }) =>
				withSpinner('importing usage', (progress) =>
					importUsage(store, input, {
						nowMs: Date.now,
						onRefused: (line, reason) => say(`line ${line}: ${reason}`),
						onProgress: (lines) => progress.update(`importing usage: ${lines.toLocaleString('en')} lines`),
					}),
				),
			);
			printResult({ ...counts }, options.json);
			if (counts.refused > 0) throw new CommandError('reports_refused', `${counts.refused} line(s) were refused`);
		});
	return usage;
}
