import { bursar } from '../../server/src/cli/bursar.ts';
import { type InProcessOptions, runInProcess } from './in-process.ts';
import type { Ending } from './test-process.ts';

/** Runs a `bursar` command to its end, in this process. */
export function callBursar(
	dataDir: string,
	args: readonly string[],
	{ environment, input }: InProcessOptions = {},
): Promise<Ending> {
	return runInProcess(bursar, args, { environment: { BURSAR_DATA_DIR: dataDir, ...environment }, input });
}
