import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const ROOT = join(import.meta.dirname, '../../..');
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

/** Makes them in a folder, whose content is removed. */
export function makeArtifacts(folder: string): void {
	const release = join(ROOT, 'release/src/main.ts');
	const options = ['--untagged', '--quick', `--platform=linux-${process.arch}`, `--out=${folder}`];
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
