import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '@bursar/testing/temporary-folder';

/**
 * The environment of a process that first runs this program. The program may change the `fs` module, to act like a
 * faulty disk or a kill at a certain moment.
 */
export function withChangedFs(t: TestContext, program: string): Record<string, string> {
	const file = join(temporaryFolder(t), 'preload.mjs');
	writeFileSync(
		file,
		`import fs from 'node:fs';
		import { syncBuiltinESMExports } from 'node:module';
		${program}
		syncBuiltinESMExports();`,
	);
	return { NODE_OPTIONS: `--import=${pathToFileURL(file)}` };
}
