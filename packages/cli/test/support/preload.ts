import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '@bursar/testing/temporary-folder';

/**
 * The environment of a process that runs this program first. It may change `fs`, the module that the process is about to
 * import, and so play what a disk or a kill at one moment would do.
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
