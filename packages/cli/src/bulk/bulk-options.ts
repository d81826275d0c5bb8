import { type Command, InvalidArgumentError } from 'commander';
import { UsageError } from '../failure.ts';

/** The options of a command that can work through a file. */
export interface BulkOptions {
	readonly all?: string;
	readonly journal?: string;
	readonly concurrency?: number;
}

export const DEFAULT_CONCURRENCY = 8;
const MOST_CONCURRENCY = 64;

export function addBulkOptions(command: Command, form: string): Command {
	return command
		.option('--all <file>', `do it for each line of a file: ${form}`)
		.option('--journal <file>', 'what was done so far, to go on from (default: the file of --all with .journal)')
		.option('--concurrency <count>', `how many lines at a time (default: ${DEFAULT_CONCURRENCY})`, concurrency)
		.hook('preAction', (_, action) => {
			const { all, journal, concurrency: count } = action.opts<BulkOptions>();
			if (all !== undefined || (journal === undefined && count === undefined)) return;
			throw new UsageError('--journal and --concurrency go with --all');
		});
}

function concurrency(text: string): number {
	const count = Number(text);
	if (!/^\d{1,3}$/.test(text) || count < 1 || count > MOST_CONCURRENCY) {
		throw new InvalidArgumentError(`It must be an integer from 1 to ${MOST_CONCURRENCY}.`);
	}
	return count;
}
