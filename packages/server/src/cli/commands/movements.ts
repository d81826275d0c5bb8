import { say, UsageError, withProgress } from '@bursar/terminal';
import { Command, InvalidArgumentError } from 'commander';
import { parseTimestamp } from '../../domain/usage-report.ts';
import { integer, username, words } from '../arguments.ts';
import { newestMovements } from '../newest-movements.ts';
import { printResult } from '../output.ts';
import { movementFields, printMovements } from '../recorded.ts';
import { refusalError } from '../refusals.ts';
import { inSession } from '../session.ts';

interface Options {
	readonly reseller?: string;
	readonly from?: number;
	readonly to?: number;
	readonly request?: string;
	readonly limit?: number;
	readonly json?: boolean;
}

const USUAL_LIMIT = 50;
/** @bound Movements of one `bursar movements`: more are refused. */
const MAX_LIMIT = 10_000;

/** `bursar movements`: who moved money. */
export function movementsCommand(): Command {
	const command = new Command('movements').description(
		'list movements of money, the newest first: who moved it, and how',
	);
	return command
		.option('--reseller <name>', 'only the money of this reseller', username)
		.option('--from <time>', 'only from this time on, like 2026-11-21T14:00:00Z', time)
		.option('--to <time>', 'only before this time', time)
		.option('--request <id>', 'only the movements of this request', words)
		.option('--limit <number>', `how many at most, up to ${MAX_LIMIT} (default: ${USUAL_LIMIT})`, limit)
		.addHelpText(
			'after',
			`
A movement over the API has the last four characters of the token, and the program's address; one on the dashboard the
person; one on the command line the user of the operating system.

Example:
  $ bursar movements --reseller acme --from 2026-11-21T14:00:00Z --to 2026-11-21T14:10:00Z
`,
		)
		.action((options: Options) => listMovements(options));
}

async function listMovements(options: Options): Promise<void> {
	const { reseller, from: fromMs, to: toMs, request, limit = USUAL_LIMIT, json } = options;
	if (request !== undefined && (reseller ?? fromMs ?? toMs ?? options.limit) !== undefined) {
		throw new UsageError('--request names the movements of one request: give no other option with it');
	}
	const movements = await inSession(async ({ store }) => {
		if (request !== undefined) return (await store.findRequest(request)).movements.toReversed();
		if (reseller !== undefined && !(await store.findAccount(reseller, reseller))) {
			throw refusalError({ error: 'unknown_reseller' });
		}
		return withProgress('reading movements', () => newestMovements(store, { reseller, fromMs, toMs, limit }));
	});
	const rows = movements.map(movementFields);
	if (json) return printResult({ movements: rows }, true);
	printMovements(rows);
	if (request === undefined && rows.length === limit) say(`There may be more: these are the newest ${limit}.`);
}

function time(text: string): number {
	const atMs = parseTimestamp(text);
	if (atMs === undefined) throw new InvalidArgumentError('It must be a time in ISO 8601, like 2026-11-21T14:00:00Z.');
	return atMs;
}

function limit(text: string): number {
	const number = integer(text, /^\d{1,5}$/, MAX_LIMIT);
	if (number === 0) throw new InvalidArgumentError('It must be at least 1.');
	return number;
}
