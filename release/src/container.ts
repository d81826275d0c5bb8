import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryAddress } from './programs.ts';
import { ROOT } from './run.ts';

const FOLDER = join(import.meta.dirname, '../container');

/** Writes the files from which a person builds and runs a container, with the version and the repository in them. */
export function writeContainerFiles(outFolder: string): void {
	const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
	for (const name of readdirSync(FOLDER)) {
		const text = readFileSync(join(FOLDER, name), 'utf8');
		writeFileSync(
			join(outFolder, name),
			text.replaceAll('@VERSION@', version).replaceAll('@REPOSITORY@', repositoryAddress()),
		);
	}
}
