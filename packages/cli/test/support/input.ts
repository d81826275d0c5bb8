import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryFolder } from '@bursar/testing/temporary-folder';

/** Writes a file with this text, in its own folder. Returns its path. */
export function fileOf(t: TestContext, text: string): string {
	const file = join(temporaryFolder(t), 'input');
	writeFileSync(file, text);
	return file;
}

/** Usernames, one a line. */
export function names(count: number): string {
	return Array.from({ length: count }, (_, index) => `user.${index}\n`).join('');
}
