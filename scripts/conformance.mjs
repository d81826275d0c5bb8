// Checks any running service of the API: npm run conformance -- --url http://127.0.0.1:8080 --token-file token.txt
import { runNode } from './pinned-node.mjs';
import { setUp } from './setup.mjs';

await setUp();
// Node's own options choose the reporters. The others are the suite's.
const { reporters = [], options = [] } = Object.groupBy(process.argv.slice(2), (argument) => {
	return /^--test-reporter(?:-destination)?=/.test(argument) ? 'reporters' : 'options';
});
process.exitCode = await runNode([...reporters, 'conformance/src/conformance.ts', ...options]);
