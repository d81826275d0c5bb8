// Builds the published packages, each into its own `dist`.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DASHBOARD } from '../packages/pinned-node/bundle.js';
import { root, runNode, setUp } from './setup.mjs';

// The set-up builds the dashboard. The package must contain nothing older.
rmSync(join(root, DASHBOARD), { recursive: true, force: true });
await setUp();
for (const name of ['client', 'cli']) {
	const exitCode = await runNode([`packages/${name}/build.ts`]);
	if (exitCode !== 0) process.exit(exitCode);
}
