import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

/** What holds the documents: the package of npm itself; or the checkout, or the archive, three folders above this file. */
const FOLDERS = [import.meta.dirname, join(import.meta.dirname, '../../..')];

/**
 * A page of the documents, and a heading of it, as messages name it: by its path in this installation. The path in the
 * repository if the documents are not installed.
 */
export function page(path: `docs/${string}.md`, heading?: string): string {
	const file = FOLDERS.map((folder) => join(folder, path)).find(existsSync);
	// A Debian package has a link to its documents.
	const name = file === undefined ? path : realpathSync(file);
	return heading === undefined ? name : `${name}, under "${heading}"`;
}
