// Runs the tests in the named files, or one of three sets:
//   npm test             tests that need only Node and npm
//   npm run test:faults  tests that kill processes, cut connections or run several versions and servers; with --long, the
//                        long forms of all tests that have one: hundreds of kills
//   npm run test:system  tests that need Debian packages or root
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root, runNode } from './pinned-node.mjs';
import { setUp } from './setup.mjs';
import { missingPackages } from './system-packages.mjs';
import { buildPrograms } from './test-programs.mjs';

const SYSTEM = /[\\/]system[\\/]/;
const FAULTS = /[\\/](faults|processes|upgrades)[\\/]/;
/** Files that start nothing and change nothing outside themselves, so they share a process. */
const PURE = /[\\/](contract[\\/]test|server[\\/]test[\\/](domain|commands))[\\/]|[\\/]dashboard[\\/]test[\\/][^\\/]+$/;
/** Files that draw the pages of the dashboard. They share a process, because to load the pages takes longer than a file. */
const PAGES = /[\\/]dashboard[\\/]test[\\/]pages[\\/]/;
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
await run(
	files.filter((file) => PURE.test(file)),
	inOneProcess(),
);
const pagesReport = join(mkdtempSync(join(tmpdir(), 'bursar-test-')), 'pages');
const pages = run(
	files.filter((file) => PAGES.test(file)),
	inOneProcess(pagesReport),
);
await run(
	files.filter((file) => ![PURE, PAGES, CHANGES_NETWORK].some((part) => part.test(file))),
	inTheirOwn(),
);
await pages;
if (existsSync(pagesReport)) process.stdout.write(readFileSync(pagesReport));
rmSync(dirname(pagesReport), { recursive: true });
await run(
	files.filter((file) => CHANGES_NETWORK.test(file)),
	inTheirOwn(),
);

function inOneProcess(destination = 'stdout') {
	return ['--test-isolation=none', '--test-reporter=spec', `--test-reporter-destination=${destination}`];
}

function inTheirOwn() {
	const reporters = ['spec', join(root, 'scripts/slowest-files.mjs')];
	return [
		`--test-concurrency=${SETS[set].atOnce}`,
		...reporters.flatMap((name) => [`--test-reporter=${name}`, '--test-reporter-destination=stdout']),
	];
}

async function run(files, options) {
	if (files.length === 0) return;
	const exitCode = await runNode(
		[
			'--test',
			...options,
			`--test-global-setup=${join(root, 'packages/testing/src/global-setup.ts')}`,
			`--test-timeout=${SETS[set].limitMs}`,
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
	if (exitCode !== 0) process.exitCode = exitCode;
}

function filesOf(set) {
	const all = [
		'clients/python',
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
