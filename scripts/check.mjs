// Checks format, lint, types, dead code, what is generated, architecture and citations. It must be clean on every commit.
// With --fix, it mends format and lint where it can, writes what is generated, and checks nothing else.
import { runNode } from './pinned-node.mjs';
import { setUp } from './setup.mjs';

const BIOME = 'node_modules/@biomejs/biome/bin/biome';

const STEPS = {
	'format and lint': [BIOME, 'ci', '--colors=off', '--error-on-warnings', '.'],
	types: ['node_modules/typescript/bin/tsc', '--project', '.'],
	'types of the client, without those of Node': [
		'node_modules/typescript/bin/tsc',
		'--project',
		'tsconfig.client.json',
	],
	'types of the dashboard, with those of browsers': [
		'node_modules/typescript/bin/tsc',
		'--project',
		'tsconfig.dashboard.json',
	],
	'types of its tests': ['node_modules/typescript/bin/tsc', '--project', 'packages/dashboard/test'],
	'dead code': ['node_modules/knip/bin/knip.js'],
	'the page of bounds': ['scripts/bounds.mjs', '--check'],
	'the generated parts of the Python client': ['clients/python/generate/main.ts', '--check'],
	'architecture and citations': [
		'--test',
		'--test-reporter=dot',
		'packages/server/test/architecture.test.ts',
		'packages/server/test/citations.test.ts',
	],
};

await setUp();
if (process.argv.includes('--fix')) {
	const exitCode = await runNode([BIOME, 'check', '--write', '.']);
	process.exit(
		exitCode || (await runNode(['scripts/bounds.mjs'])) || (await runNode(['clients/python/generate/main.ts'])),
	);
}
for (const [name, args] of Object.entries(STEPS)) {
	const exitCode = await runNode(args);
	if (exitCode === 0) continue;
	process.stderr.write(`\nThe check failed: ${name}.\n`);
	process.exit(1);
}
