import { runNode, setUp } from './setup.mjs';

await setUp();
process.exitCode = await runNode(['packages/server/bin/bursar.js', 'dev'], {
	// The program itself chooses the folder for its compiled code.
	NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
});
