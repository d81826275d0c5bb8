import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Makes the process throw an uncaught error on SIGUSR2. */
export const CRASH_ON_SIGNAL = `--import=data:text/javascript,${encodeURIComponent(
	"process.on('SIGUSR2', () => { throw new Error('crashed by the test'); });",
)}`;

/** Secrets by description. */
export type Secrets = Record<string, string>;

/** Throws if one of the secrets is in the text. */
export function assertNone(secrets: Secrets, where: string, text: string): void {
	for (const [what, secret] of Object.entries(secrets)) {
		assert.ok(secret.length >= 8, what);
		assert.ok(!text.includes(secret), `${what} is in ${where}`);
	}
}

/** More than the times of files are inexact. */
const INEXACT_MS = 5_000;

/**
 * Throws if one of the secrets is in a file below the folder. Files that were last written before `madeMs`, when no
 * secret was made yet, are not read: most files of PostgreSQL are copies of older ones.
 */
export function assertNoneBelow(secrets: Secrets, folder: string, madeMs = 0): void {
	for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
		if (!entry.isFile()) continue;
		const file = join(entry.parentPath, entry.name);
		if (statSync(file).mtimeMs < madeMs - INEXACT_MS) continue;
		assertNone(secrets, file, readFileSync(file, 'latin1'));
	}
}
