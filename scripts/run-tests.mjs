// Runs the named test files on the pinned Node, as `npm test` does. Most of a short file's time is spent on loading the
// server, so files of one folder share a process, except those that say `Runs alone:`.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { Rolldown } from 'tsdown';
import { currentBundle } from '../packages/pinned-node/bundle.js';
import { embeddedPostgres } from '../packages/testing/src/postgres-installation.ts';
import { startPostgres } from '../packages/testing/src/postgres-server.ts';
import { root } from './setup.mjs';

/** More than the machine has processors, because many tests wait. */
const CONCURRENCY = 8;
const TEST_LIMIT_MS = 300_000;
/** In files. */
const LARGEST_GROUP = { usual: 12, faults: 4 };
/** Many times what the tests ever have at once. */
const NEEDED_BYTES = 4 * 1024 ** 3;
/** Tests that kill, freeze and starve processes take long. */
const FAULTS = /[\\/](faults|processes)[\\/]/;
const ALONE = /^\/\/ Runs alone: /m;
/** Begins early, so that the others do not wait for it at the end. */
const FIRST = /^\/\/ Runs first: /m;

/**
 * Makes the tests of a group wait until all its files are loaded. Otherwise Node runs the `after` hooks of all files as
 * soon as no test is left, even while a file waits for its database before it declares its tests.
 */
const LOADING = `import { before } from 'node:test';
const loading = Promise.withResolvers();
export const { resolve: loaded } = loading;
before(() => loading.promise);
`;

/** Half of all modules that a service loads are of this package. */
const TYPEBOX = { typebox: 'typebox', 'typebox-compile': 'typebox/compile' };

const THREADS = ['writer-thread', 'reading-thread'];

const aborting = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
	process.once(signal, () => {
		aborting.abort();
		process.exitCode = 128 + constants.signals[signal];
	});
}

const files = process.argv.slice(2);
const folder = mkdtempSync(join(folderInMemory() ?? tmpdir(), 'bursar-tests-'));
const groups = new Map();
const { BURSAR_TEST_DATABASE_URL } = process.env;
let postgres;
try {
	// It stays for the next run, so it is not in the folder of this one.
	process.env.BURSAR_TEST_POSTGRES = (await embeddedPostgres()).binFolder;
	process.env.TMPDIR = join(folder, 'tmp');
	mkdirSync(process.env.TMPDIR);
	// The user of PostgreSQL has its folders there.
	for (const path of [folder, process.env.TMPDIR]) chmodSync(path, 0o711);
	process.env.BURSAR_TEST_BUNDLED = JSON.stringify({ ...(await bundledTypebox()), ...bundledThreads() });
	if (!BURSAR_TEST_DATABASE_URL) {
		// One server for all files that need only a database.
		postgres = await startPostgres({ settings: { max_connections: '400' } });
		process.env.BURSAR_TEST_DATABASE_URL = postgres.url();
	}
	const shared = grouped(files.filter((file) => !isAlone(file)));
	// Files of one folder often wait or compute alike. In the order of their hashes, they are mixed.
	const mixed = [...files.filter(isAlone), ...shared].sort((one, other) => (hashed(one) < hashed(other) ? -1 : 1));
	const { first = [], groups: usual = [], alone = [] } = Object.groupBy(mixed, turnOf);
	await runAll([...first, ...usual, ...alone]);
} finally {
	await postgres?.remove();
	rmSync(folder, { recursive: true });
}

/**
 * Linux keeps these files in memory, so that the tests do not wait for the disk: they kill processes, but never the
 * machine. `undefined` if there is no such folder, if it is small, or if no program may run in it.
 */
function folderInMemory() {
	const inMemory = '/dev/shm';
	try {
		const { bavail, bsize } = statfsSync(inMemory);
		if (bavail * bsize < NEEDED_BYTES) return undefined;
		const probe = join(mkdtempSync(join(inMemory, 'bursar-probe-')), 'probe');
		try {
			writeFileSync(probe, '#!/bin/sh\n', { mode: 0o700 });
			execFileSync(probe);
		} finally {
			rmSync(dirname(probe), { recursive: true });
		}
		return inMemory;
	} catch {
		return undefined;
	}
}

/** Puts the package into a few files. Returns their addresses by what the sources import. */
async function bundledTypebox() {
	const dir = join(folder, 'typebox');
	const build = await Rolldown.rolldown({ cwd: join(import.meta.dirname, '../packages/contract'), input: TYPEBOX });
	await build.write({ dir, entryFileNames: '[name].mjs' });
	await build.close();
	return Object.fromEntries(
		Object.entries(TYPEBOX).map(([name, imported]) => [imported, pathToFileURL(join(dir, `${name}.mjs`)).href]),
	);
}

/** The threads of a SQLite store start faster from the bundle of the command. Without a bundle, they use their sources. */
function bundledThreads() {
	const bundle = currentBundle(root, 'bursar');
	if (bundle === undefined) return {};
	return Object.fromEntries(
		THREADS.map((name) => [
			pathToFileURL(join(root, 'packages/server/src/store/sqlite', `${name}.ts`)).href,
			pathToFileURL(join(bundle, `${name}.cjs`)).href,
		]),
	);
}

function isAlone(file) {
	return ALONE.test(readFileSync(file, 'utf8'));
}

/** What takes long begins early, so that nothing waits for it at the end. */
function turnOf(fileOrGroup) {
	const members = groups.get(fileOrGroup);
	if ((members ?? [fileOrGroup]).some((file) => FAULTS.test(file) || FIRST.test(readFileSync(file, 'utf8'))))
		return 'first';
	return members ? 'groups' : 'alone';
}

function hashed(file) {
	return createHash('sha256').update(basename(file)).digest('hex');
}

/** Writes a module for each group, which imports the group's files. */
function grouped(files) {
	writeFileSync(join(folder, 'loading.mjs'), LOADING);
	for (const [home, members] of Map.groupBy(files, dirname)) {
		const largest = FAULTS.test(members[0]) ? LARGEST_GROUP.faults : LARGEST_GROUP.usual;
		const count = Math.ceil(members.length / largest);
		for (let n = 0; n < count; n++) {
			const slice = members.filter((_, place) => place % count === n);
			const module = join(folder, `${home.replaceAll(/[\\/]/g, '-')}-${n + 1}.mjs`);
			const imports = slice.map((file) => `import ${JSON.stringify(pathToFileURL(resolve(file)).href)};\n`);
			writeFileSync(module, `import { loaded } from './loading.mjs';\n${imports.join('')}loaded();\n`);
			groups.set(module, slice);
		}
	}
	return [...groups.keys()];
}

async function runAll(files) {
	const broken = new Set();
	const tests = run({
		files: files.map((file) => resolve(file)),
		execArgv: ['--import', pathToFileURL(join(import.meta.dirname, 'test-preload.mjs')).href],
		concurrency: CONCURRENCY,
		timeout: TEST_LIMIT_MS,
		signal: aborting.signal,
	});
	tests.on('test:fail', ({ name }) => {
		process.exitCode ||= 1;
		if (groups.has(name)) broken.add(name);
	});
	const report = tests.compose(spec);
	report.pipe(process.stdout);
	await finished(report);
	for (const name of broken) {
		process.stdout.write(`\nThe process of ${basename(name)} failed. It ran:\n  ${groups.get(name).join('\n  ')}\n`);
	}
}
