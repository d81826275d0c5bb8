import type { DailyUsage } from '@bursar/client';
import { print, printCsv, printTable, say, standardOutput, UsageError } from '@bursar/terminal';
import { Command } from 'commander';
import type { GlobalOptions } from '../global-options.ts';
import { usageChart } from '../output/chart.ts';
import { USAGE_FIELDS, usageFields } from '../output/fields.ts';
import { printJson, printsFields } from '../output/json.ts';
import { byteWords, dayWords } from '../output/units.ts';
import { openSession } from '../session.ts';

interface Options extends GlobalOptions {
	readonly csv?: boolean;
	readonly chart?: boolean;
}

const DEFAULT_WIDTH = 80;
const NARROWEST = 10;
const WIDEST = 500;

/** `bursarctl usage` */
export function usageCommand(): Command {
	const usage = new Command('usage')
		.description('show the bandwidth of a sub-user by UTC day: today and the 89 days before it')
		.argument('<username>')
		.option('--csv', 'print CSV, in bytes')
		.option('--chart', 'draw a bar for each day, also for those without usage')
		.addHelpText('after', '\nExample:\n  $ bursarctl usage alice --chart\n')
		.action((username: string, _options: unknown, command: Command) => showUsage(username, command.optsWithGlobals()));
	return printsFields(usage, USAGE_FIELDS);
}

async function showUsage(username: string, options: Options): Promise<void> {
	const forms = [options.csv, options.chart, options.json].filter(Boolean);
	if (forms.length > 1) throw new UsageError('give one of --csv, --chart and --json');
	const { client, interrupts } = openSession(options);
	const days = await client.subUsers.retrieveUsage(username, { signal: interrupts.stop });
	if (options.json) printJson(days.map(usageFields), options.json);
	else if (options.csv) printUsageCsv(days);
	else if (days.length === 0) say('No usage in the last 90 days.');
	else if (options.chart) print(usageChart(days, terminalWidth(), new Date()));
	else printUsageTable(days);
}

function printUsageCsv(days: readonly DailyUsage[]): void {
	const rows = days.map(({ day, bytesUp, bytesDown }) => [dayWords(day), bytesUp, bytesDown]);
	printCsv(['day', 'bytes_up', 'bytes_down'], rows);
}

function printUsageTable(days: readonly DailyUsage[]): void {
	const row = (label: string, up: number, down: number) => [
		label,
		byteWords(up),
		byteWords(down),
		byteWords(up + down),
	];
	const sum = (pick: (usage: DailyUsage) => number) => days.reduce((total, usage) => total + pick(usage), 0);
	printTable(
		[
			{ title: 'DAY (UTC)' },
			{ title: 'UP', isNumber: true },
			{ title: 'DOWN', isNumber: true },
			{ title: 'TOTAL', isNumber: true },
		],
		[
			...days.map(({ day, bytesUp, bytesDown }) => row(dayWords(day), bytesUp, bytesDown)),
			row(
				'total',
				sum(({ bytesUp }) => bytesUp),
				sum(({ bytesDown }) => bytesDown),
			),
		],
	);
}

/** The terminal's width. `COLUMNS` in the environment may hold anything. */
function terminalWidth(): number {
	const columns = standardOutput().columns || Number(process.env.COLUMNS) || DEFAULT_WIDTH;
	return Math.floor(Math.min(WIDEST, Math.max(NARROWEST, columns)));
}
