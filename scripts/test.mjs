// Runs the tests in the named files, or one of three sets:
//   npm test             tests that need only Node and npm
//   npm run test:system  tests that need Debian packages or root
//   npm run test:faults  the long forms of the tests that kill processes, cut connections and fill disks
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runNode } from './pinned-node.mjs';
import { setUp } from './setup.mjs';
import { missingPackages } from './system-packages.mjs';
import { buildPrograms } from './test-programs.mjs';

const SYSTEM = /[\\/]system[\\/]/;
const FAULTS =
	/[\\/](faults|processes)[\\/]|-model\.test\.ts$|[\\/]store[\\/](postgres|sqlite)\.test\.ts$|conformance[\\/]test[\\/]wrong-/;
/** What a file reads that has a long form. */
const LONG = 'BURSAR_TEST_FAULTS';
/** These give this machine another address. Chromium then ends all its requests, so they run after its tests. */
const CHANGES_NETWORK = /[\\/]edge[\\/]test[\\/]system[\\/]/;

/** `atOnce` is in files: more than there are processors, because many tests wait. */
const SETS = {
	usual: { atOnce: 4, limitMs: 10 * 60_000 },
	system: { atOnce: 3, limitMs: 20 * 60_000 },
	faults: { atOnce: 2, limitMs: 6 * 3_600_000 },
};

const args = process.argv.slice(2);
const set = args.includes('--system') ? 'system' : args.includes('--faults') ? 'faults' : 'usual';
const named = args.filter((arg) => !arg.startsWith('--'));

if (set !== 'usual') assertSystem();
await setUp();
const programs = await buildPrograms();
const files = named.length > 0 ? named : filesOf(set);
const last = files.filter((file) => CHANGES_NETWORK.test(file));
for (const part of [files.filter((file) => !last.includes(file)), last]) {
	if (part.length > 0) process.exitCode = (await runFiles(part)) || process.exitCode;
}

function runFiles(files) {
	const { atOnce, limitMs } = SETS[set];
	return runNode(
		[
			'--test',
			`--test-global-setup=${join(root, 'packages/testing/src/global-setup.ts')}`,
			`--test-concurrency=${atOnce}`,
			`--test-timeout=${limitMs}`,
			...files,
		],
		{
			cwd: root,
			env: {
				NODE_COMPILE_CACHE: join(root, 'node_modules/.bursar-compiled'),
				...process.env,
				BURSAR_TEST_PROGRAMS: programs,
				...(set === 'faults' && { [LONG]: 'long' }),
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
	if (set === 'faults')
		return all.filter((file) => FAULTS.test(file) || readFileSync(join(root, file), 'utf8').includes(LONG));
	return all.filter((file) => SYSTEM.test(file) === (set === 'system'));
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
