import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Makes the process throw an uncaught error on SIGUSR2. */
export const CRASH_ON_SIGNAL = `--import=data:text/javascript,${encodeURIComponent(
	"process.on('SIGUSR2', () => { throw new Error('crashed by the test'); });",
)}`;

/** Secrets by description. */
export type Secrets = Record<string, string>;

/** Throws if one of the secrets is in the text. */
export function assertNone(secrets: Secrets, place: string, text: string): void {
	for (const [what, secret] of Object.entries(secrets)) {
		assert.ok(secret.length >= 8, what);
		assert.ok(!text.includes(secret), `${what} is in ${place}`);
	}
}

/** Throws if one of the secrets is in a file below the folder. */
export function assertNoneBelow(secrets: Secrets, folder: string): void {
	for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
		if (!entry.isFile()) continue;
		const file = join(entry.parentPath, entry.name);
		assertNone(secrets, file, readFileSync(file, 'latin1'));
	}
}
