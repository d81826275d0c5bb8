import { CommandError, printSurely, recordLines } from '@bursar/terminal';
import { exitCodes } from '../failure.ts';
import type { GlobalOptions } from '../global-options.ts';
import { jsonText } from './json.ts';

/** The result of a change, in both forms. */
interface Result {
	readonly fields: object;
	readonly record: Readonly<Record<string, unknown>>;
}

/**
 * Prints the result of a change that was done. If it cannot be printed, the error says that the change was done, and the
 * exit code keeps scripts from repeating it.
 */
export async function printDone(done: string, { fields, record }: Result, { json }: GlobalOptions): Promise<void> {
	try {
		await printSurely(json ? [jsonText(fields, json)] : recordLines(record));
	} catch (cause) {
		const message = `${done}, but ${(cause as Error).message}: do not repeat it`;
		throw new CommandError('output_failed', message, exitCodes.outcomeUnknown);
	}
}
