// Builds the published packages, each into its own `dist`.
import { runNode, setUp } from './setup.mjs';

setUp();
for (const name of ['client', 'cli']) {
	const exitCode = await runNode([`packages/${name}/build.ts`]);
	if (exitCode !== 0) process.exit(exitCode);
}
