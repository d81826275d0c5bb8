import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version of the package that contains this folder of sources or of a bundle. */
export function packageVersion(folder: string): string {
	const text = readFileSync(join(folder, '..', 'package.json'), 'utf8');
	return (JSON.parse(text) as { version: string }).version;
}
