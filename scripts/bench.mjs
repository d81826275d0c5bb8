// Runs all benchmarks, or the named ones: npm run bench -- http postgres. Options go to each: -- http --against ../other
import { runNode } from './pinned-node.mjs';
import { setUp } from './setup.mjs';

const ALL = ['http', 'postgres', 'edge', 'checks', 'pages', 'proxy', 'fairness', 'usage', 'overrun', 'hostile'];

const given = process.argv.slice(2);
const firstOption = given.findIndex((argument) => argument.startsWith('-'));
const names = firstOption === -1 ? given : given.slice(0, firstOption);
const options = given.slice(names.length);

await setUp();
for (const name of names.length > 0 ? names : ALL) {
	const exitCode = await runNode([`bench/${name}.ts`, ...options]);
	if (exitCode !== 0) process.exit(exitCode);
	process.stdout.write('\n');
}
