// Runs all tests, or those in the files that are named. With --faults, the long form of the fault tests.
import { runNode, setUp } from './setup.mjs';

setUp();
const args = process.argv.slice(2);
const isLongForm = args.includes('--faults');
const named = args.filter((arg) => arg !== '--faults');
const all = isLongForm
	? ['packages/*/test/faults/*.test.ts']
	: ['packages/*/test/**/*.test.ts', 'conformance/test/**/*.test.ts'];
process.exitCode = await runNode(
	[
		'--test',
		'--test-concurrency=2',
		'--test-reporter=spec',
		'--test-timeout=1800000',
		...(named.length > 0 ? named : all),
	],
	isLongForm ? { BURSAR_TEST_FAULTS: 'long' } : {},
);
