// Checks any running service of the API: npm run conformance -- --url http://127.0.0.1:8080 --token-file token.txt
import { runNode } from './pinned-node.mjs';
import { setUp } from './setup.mjs';

await setUp();
process.exitCode = await runNode(['conformance/src/conformance.ts', ...process.argv.slice(2)]);
