// Runs the tests in the named files, or one of three sets:
//   npm test             tests that need only Node and npm
//   npm run test:faults  tests that kill processes, cut connections or run several versions and servers; with --long, the
//                        long forms of all tests that have one: hundreds of kills
//   npm run test:system  tests that need Debian packages or root
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runNode } from './pinned-node.mjs';
import { setUp } from './setup.mjs';
import { missingPackages } from './system-packages.mjs';
import { buildPrograms } from './test-programs.mjs';

const SYSTEM = /[\\/]system[\\/]/;
const FAULTS = /[\\/](faults|processes|upgrades)[\\/]/;
/** Files that start nothing and change nothing outside themselves, so they share a process. */
const PURE = /[\\/](contract[\\/]test|server[\\/]test[\\/]domain)[\\/]/;
/** What a file reads that has a long form, itself or in a suite. */
const LONG = 'BURSAR_TEST_FAULTS';
const LONG_SUITES = /-model\.test\.ts$|[\\/]store[\\/](postgres|sqlite)\.test\.ts$|[\\/](faults|processes)[\\/]/;
/** These give this machine another address. Chromium then ends all its requests, so they run after its tests. */
const CHANGES_NETWORK = /[\\/]edge[\\/]test[\\/]system[\\/]/;

/** `atOnce` is in files: more than there are processors, because many tests wait. A test that is stuck ends at the limit. */
const SETS = {
	usual: { atOnce: 4, limitMs: 10 * 60_000 },
	faults: { atOnce: 3, limitMs: 20 * 60_000 },
	system: { atOnce: 3, limitMs: 20 * 60_000 },
	long: { atOnce: 2, limitMs: 6 * 3_600_000 },
};

const args = process.argv.slice(2);
const set = ['system', 'long', 'faults'].find((name) => args.includes(`--${name}`)) ?? 'usual';
const named = args.filter((arg) => !arg.startsWith('--'));

if (set === 'system' || set === 'long') assertSystem();
await setUp();
const programs = await buildPrograms();
const files = named.length > 0 ? named : filesOf(set);
for (const name of ['pure', 'usual', 'last']) {
	const part = files.filter((file) => partOf(file) === name);
	if (part.length > 0) process.exitCode = (await runFiles(part, name === 'pure')) || process.exitCode;
}

function partOf(file) {
	if (CHANGES_NETWORK.test(file)) return 'last';
	return PURE.test(file) ? 'pure' : 'usual';
}

function runFiles(files, inOneProcess) {
	const { atOnce, limitMs } = SETS[set];
	const reporters = ['spec', join(root, 'scripts/slowest-files.mjs')];
	return runNode(
		[
			'--test',
			...(inOneProcess ? ['--test-isolation=none'] : [`--test-concurrency=${atOnce}`]),
			`--test-global-setup=${join(root, 'packages/testing/src/global-setup.ts')}`,
			`--test-timeout=${limitMs}`,
			...reporters.flatMap((name) => [`--test-reporter=${name}`, '--test-reporter-destination=stdout']),
			...files,
		],
		{
			cwd: root,
			env: {
				NODE_COMPILE_CACHE: join(root, 'node_modules/.bursar-compiled'),
				...process.env,
				BURSAR_TEST_PROGRAMS: programs,
				...(set === 'long' && { [LONG]: 'long' }),
			},
		},
	);
}

function filesOf(set) {
	const all = [
		'conformance',
		'release',
		'site',
		...readdirSync(join(root, 'packages')).map((name) => join('packages', name)),
	]
		.map((folder) => join(folder, 'test'))
		.filter((folder) => existsSync(join(root, folder)))
		.flatMap((folder) => testsBelow(folder));
	if (set === 'long') {
		return all.filter((file) => LONG_SUITES.test(file) || readFileSync(join(root, file), 'utf8').includes(LONG));
	}
	return all.filter((file) => setOf(file) === set);
}

function setOf(file) {
	if (SYSTEM.test(file)) return 'system';
	return FAULTS.test(file) ? 'faults' : 'usual';
}

/** Node 18 cannot list folders recursively. */
function testsBelow(folder) {
	return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : testsBelow(path);
		return /\.test\.tsx?$/.test(entry.name) ? [path] : [];
	});
}

/** Says at the start what is missing, instead of failing in the middle. */
function assertSystem() {
	const problems = [];
	const missing = missingPackages();
	if (missing.length > 0) {
		problems.push(
			'Programs are missing. On Debian, this installs them:',
			'',
			`  apt-get install -y --no-install-recommends ${missing.join(' ')}`,
			'',
		);
	}
	if (process.platform !== 'linux') problems.push('These tests need Linux.');
	else if (process.getuid() !== 0) problems.push('These tests need root, because they mount small disks.');
	if (problems.length === 0) return;
	process.stderr.write(`${problems.join('\n')}\n`);
	process.exit(1);
}
