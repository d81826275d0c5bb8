// `npm run build`: makes `dist` of each package that is published, with its tsdown configuration.
import { join } from 'node:path';
import { root, runNode } from './pinned-node.mjs';
import { setUp } from './setup.mjs';

const TSDOWN = join(root, 'node_modules/tsdown/dist/run.mjs');

await setUp();
for (const name of ['server', 'cli', 'edge', 'client']) {
	const exitCode = await runNode([TSDOWN, '--logLevel=warn'], { cwd: join(root, 'packages', name) });
	if (exitCode !== 0) process.exit(exitCode);
}
