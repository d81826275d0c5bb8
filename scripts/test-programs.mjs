// Builds the programs that tests start. A build starts in a third of the time of its sources, and tests start thousands.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root, runNode } from './pinned-node.mjs';

const BUILT = join(root, 'node_modules/.bursar-built');
const KEPT_MS = 24 * 3_600_000;
const TSDOWN = join(root, 'node_modules/tsdown/dist/run.mjs');

const PROGRAMS = ['server', 'cli', 'edge'];
/** What the programs are made of. The name of the page changes with what it loads. */
const SOURCES = [
	...[...PROGRAMS, 'client', 'contract', 'terminal'].map((name) => `packages/${name}/src`),
	...[...PROGRAMS, 'client', 'contract', 'terminal'].map((name) => `packages/${name}/package.json`),
	...PROGRAMS.map((name) => `packages/${name}/tsdown.config.ts`),
	'packages/dashboard/dist/index.html',
	'scripts/published-package.ts',
	'package-lock.json',
];

/** Resolves with the folder of the builds. Each set of sources has one of its own, so that runs at once do not meet. */
export async function buildPrograms() {
	const folder = join(BUILT, fingerprint());
	if (existsSync(folder)) return folder;
	const unfinished = `${folder}-${process.pid}`;
	for (const name of PROGRAMS) {
		const options = { cwd: join(root, 'packages', name), stdio: ['ignore', 2, 2] };
		const exitCode = await runNode([TSDOWN, '--logLevel=error', '--out-dir', join(unfinished, name)], options);
		if (exitCode !== 0) process.exit(exitCode);
	}
	if (existsSync(folder)) rmSync(unfinished, { recursive: true });
	else renameSync(unfinished, folder);
	removeOld();
	return folder;
}

function fingerprint() {
	const hash = createHash('sha256');
	for (const path of SOURCES.flatMap((source) => filesBelow(source))) {
		hash
			.update(`${path}\n`)
			.update(readFileSync(join(root, path)))
			.update('\n');
	}
	return hash.digest('hex').slice(0, 16);
}

function filesBelow(path) {
	const found = statSync(join(root, path), { throwIfNoEntry: false });
	if (!found) return [];
	if (!found.isDirectory()) return [path];
	return readdirSync(join(root, path))
		.sort()
		.flatMap((name) => filesBelow(`${path}/${name}`));
}

function removeOld() {
	for (const name of readdirSync(BUILT)) {
		const path = join(BUILT, name);
		if (Date.now() - statSync(path).mtimeMs > KEPT_MS) rmSync(path, { recursive: true, force: true });
	}
}
