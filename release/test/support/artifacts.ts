import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { temporaryFolder } from '@bursar/testing/temporary-folder';

const ROOT = join(import.meta.dirname, '../../..');
/** What the release is of. */
export const VERSION: string = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version;
const FOLDER = join(ROOT, 'node_modules/.bursar-release');
/** Of this run of the tests. */
const LOCK = `${FOLDER}-${process.env.TEST_RUN_ID}`;
const DONE = join(FOLDER, `made-for-${process.env.TEST_RUN_ID}`);
const CHECK_MS = 500;

/**
 * The folder with everything that a release has for this machine. The first test file of a run that asks makes it, and
 * the others wait for it.
 */
export async function artifacts(): Promise<string> {
	while (!existsSync(DONE)) {
		if (!takeLock()) {
			await delay(CHECK_MS);
			continue;
		}
		try {
			if (existsSync(DONE)) break;
			makeArtifacts(FOLDER);
			writeFileSync(DONE, '');
		} finally {
			rmSync(LOCK, { recursive: true });
		}
	}
	return FOLDER;
}

/** The path of the one file that begins and ends with these. */
export async function artifact(start: string, end: string): Promise<string> {
	const folder = await artifacts();
	const found = readdirSync(folder).filter((name) => name.startsWith(start) && name.endsWith(end));
	if (found.length !== 1) throw new Error(`${start}*${end} are ${found.length} files: ${found.join(', ')}`);
	return join(folder, found[0] as string);
}

/** Makes them in a folder, which is removed first. */
export function makeArtifacts(folder: string): void {
	rmSync(folder, { recursive: true, force: true });
	const release = join(ROOT, 'release/src/main.ts');
	const options = ['--untagged', '--unsigned', '--quick', `--platform=linux-${process.arch}`, `--out=${folder}`];
	execFileSync(process.execPath, [release, ...options], { stdio: ['ignore', 'ignore', 'inherit'] });
}

function takeLock(): boolean {
	try {
		mkdirSync(LOCK);
		return true;
	} catch (cause) {
		if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false;
		throw cause;
	}
}

/** The folder of an archive of this machine, unpacked for a test. */
export async function unpackedArchive(test: TestContext, product: 'bursar' | 'bursar-edge'): Promise<string> {
	return unpacked(test, await artifact(`${product}-${VERSION}-`, '.tar.xz'));
}

/** The folder of an npm package, unpacked for a test. `name` is that of the tarball. */
export async function unpackedPackage(test: TestContext, name: string): Promise<string> {
	return unpacked(test, await artifact(`${name}-${VERSION}`, '.tgz'));
}

function unpacked(test: TestContext, file: string): string {
	const folder = temporaryFolder(test);
	execFileSync('tar', ['--extract', '--file', file], { cwd: folder });
	return join(folder, readdirSync(folder)[0] as string);
}
