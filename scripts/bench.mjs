// Runs all benchmarks, or the named ones: npm run bench -- http view-all
import { runNode } from './pinned-node.mjs';
import { setUp } from './setup.mjs';

const ALL = [
	'http',
	'dashboard',
	'sign-in',
	'business',
	'size',
	'view-all',
	'fairness',
	'usage-import',
	'edge',
	'proxy',
	'cold-start',
	'command-lines',
	'postgres',
];

await setUp();
for (const name of process.argv.length > 2 ? process.argv.slice(2) : ALL) {
	const exitCode = await runNode([`bench/${name}.ts`]);
	if (exitCode !== 0) process.exit(exitCode);
	process.stdout.write('\n');
}
