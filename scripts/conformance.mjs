// Checks any running service of the API: npm run conformance -- --url http://127.0.0.1:8080 --token-file token.txt
import { runNode } from './pinned-node.mjs';
import { setUp } from './setup.mjs';

await setUp();
// Node's own options choose the reporters. The others are the suite's.
const given = process.argv.slice(2);
const isReporter = (argument) => /^--test-reporter(?:-destination)?=/.test(argument);
process.exitCode = await runNode([
	...given.filter(isReporter),
	'conformance/src/conformance.ts',
	...given.filter((argument) => !isReporter(argument)),
]);
