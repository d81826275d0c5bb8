import { endAfter } from '../packages/pinned-node/index.js';
import { runNode, setUp } from './setup.mjs';

// npm passes SIGTERM on to a shell, which ends without passing it on. The parent is that shell, or npm.
if (process.env.npm_lifecycle_event === 'start') endAfter(process.ppid);
await setUp();
process.exitCode = await runNode(['packages/server/bin/bursar.js', 'dev'], {
	// The program itself chooses the folder for its compiled code.
	NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
});
