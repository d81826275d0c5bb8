// Runs the tests in the named files, or one of three sets:
//   npm test             tests that need only Node and npm
//   npm run test:system  tests that need Debian packages or root
//   npm run test:faults  the long forms of the tests that kill processes, cut connections and fill disks
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, runNode, setUp } from './setup.mjs';
import { missingPackages } from './system-packages.mjs';

const SYSTEM = /[\\/]system[\\/]/;
const FAULTS =
	/[\\/](faults|processes)[\\/]|-model\.test\.ts$|[\\/]store[\\/](postgres|sqlite)\.test\.ts$|conformance[\\/]test[\\/]wrong-/;
/** What a file reads that has a long form. */
const LONG = 'BURSAR_TEST_FAULTS';

/** These give this machine another address. Chromium then ends all its requests, so they run after its tests. */
const CHANGES_NETWORK = /[\\/]edge[\\/]test[\\/]system[\\/]/;

const args = process.argv.slice(2);
const isSystem = args.includes('--system');
const isFaults = args.includes('--faults');
const named = args.filter((arg) => arg !== '--system' && arg !== '--faults');

/** Files at the same time. Some system tests wait for minutes, and use no processor meanwhile. */
const concurrency = isFaults ? 2 : isSystem ? 3 : 6;

if (isSystem || isFaults) assertSystem();
await setUp();
if (named.length > 0 || isSystem || isFaults) {
	const files = named.length > 0 ? named : wanted();
	const changing = files.filter((file) => CHANGES_NETWORK.test(file));
	const parts = [files.filter((file) => !changing.includes(file)), changing];
	for (const part of parts) if (part.length > 0) process.exitCode = (await runFiles(part)) || process.exitCode;
} else {
	process.exitCode = await runNode([join(root, 'scripts/run-tests.mjs'), ...wanted()]);
}

function runFiles(files) {
	const options = [
		`--test-concurrency=${concurrency}`,
		'--test-reporter=spec',
		`--test-timeout=${isFaults ? 3_600_000 : 300_000}`,
		`--import=${pathToFileURL(join(root, 'scripts/test-preload.mjs'))}`,
	];
	const long = { [LONG]: 'long', BURSAR_TEST_FILE_LIMIT_MS: String(6 * 3_600_000) };
	return runNode(['--test', ...options, ...files], isFaults ? long : {});
}

function wanted() {
	const all = ['conformance', ...readdirSync(join(root, 'packages')).map((name) => join('packages', name))]
		.map((folder) => join(folder, 'test'))
		.filter((folder) => existsSync(join(root, folder)))
		.flatMap((folder) => testsBelow(folder));
	if (isFaults) return all.filter((file) => FAULTS.test(file) || readFileSync(join(root, file), 'utf8').includes(LONG));
	return all.filter((file) => SYSTEM.test(file) === isSystem);
}

/** Node 18 cannot list folders recursively. */
function testsBelow(folder) {
	return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : testsBelow(path);
		return entry.name.endsWith('.test.ts') ? [path] : [];
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
