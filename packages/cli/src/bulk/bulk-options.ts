import { UsageError } from '@bursar/terminal';
import { type Command, InvalidArgumentError } from 'commander';

/** The options of a command that can work through a file. */
export interface BulkOptions {
	readonly all?: string;
	readonly journal?: string;
	readonly concurrency?: number;
	/** Where to write the remaining lines. */
	readonly left?: string;
	readonly dryRun?: boolean;
}

export const DEFAULT_CONCURRENCY = 8;
/** @bound Lines of a file that are in progress at once: `--concurrency` takes no more. */
const MOST_CONCURRENCY = 64;

const FILE_HELP = `The file of --all is UTF-8 text with one line or CSV row for each sub-user. Cells may also be
separated by semicolons or tabs. Lines that begin with # are skipped. The first line may be a heading, which is skipped too:
username; with amounts username,amount_usd or username,amount_usd_cents. Without such
a heading, amounts are US dollars with two decimals. If the sub-user on the first line
is really called username, put a heading above it. Below the heading
username,amount_usd_cents,reference, a third cell may say what an amount is for. For
create-with, the heading has any of amount_usd, day_bytes, month_bytes, total_bytes,
connections, bytes_per_second, allowed_ips, expires_at, note and reference behind username.
`;

/** For a change that sets a state and so keeps no journal. */
export function addSettingOptions(command: Command): Command {
	return command
		.option('--all <file>', 'do it for each line of a file: a username a line')
		.option('--concurrency <count>', `how many lines at a time (default: ${DEFAULT_CONCURRENCY})`, concurrency)
		.option('--dry-run', 'with --all: show what would be sent, and send nothing')
		.addHelpText('after', FILE_HELP)
		.hook('preAction', (_, action) => {
			const { all, concurrency, dryRun } = action.opts<BulkOptions>();
			if (all === undefined && (concurrency !== undefined || dryRun)) {
				throw new UsageError('--concurrency and --dry-run only go with --all');
			}
		});
}

export function addBulkOptions(command: Command, form: string): Command {
	return command
		.option('--all <file>', `do it for each line of a file: ${form}`)
		.option('--journal <file>', 'record of what was done, to go on from (default: the file of --all with .journal)')
		.option('--concurrency <count>', `how many lines at a time (default: ${DEFAULT_CONCURRENCY})`, concurrency)
		.option('--dry-run', 'with --all: show what would be sent and what it costs, and send nothing')
		.option('--left <file>', 'with --all: send nothing, and write the remaining lines to a new file')
		.addHelpText('after', FILE_HELP)
		.hook('preAction', (_, action) => {
			const { all, journal, concurrency, dryRun, left } = action.opts<BulkOptions>();
			if (all === undefined && (journal ?? concurrency ?? dryRun ?? left) !== undefined) {
				throw new UsageError('--journal, --concurrency, --dry-run and --left only go with --all');
			}
			if (dryRun && left !== undefined) throw new UsageError('give one of --dry-run and --left');
		});
}

function concurrency(text: string): number {
	const count = Number(text);
	if (!/^\d{1,3}$/.test(text) || count < 1 || count > MOST_CONCURRENCY) {
		throw new InvalidArgumentError(`It must be an integer from 1 to ${MOST_CONCURRENCY}.`);
	}
	return count;
}
