import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** As many links in a row as Linux itself follows. */
const MOST_LINKS = 40;

/**
 * The one path of a file, through whatever links it is reached, also where it does not exist yet: two runs
 * that know it by two names must find each other's lock. Where there is not even a folder, the path as it is.
 */
export function realPath(path: string, links = MOST_LINKS): string {
	try {
		return realpathSync.native(path);
	} catch {
		const target = links > 0 ? linkTarget(path) : undefined;
		if (target !== undefined) return realPath(target, links - 1);
	}
	try {
		return join(realpathSync.native(dirname(path)), basename(path));
	} catch {
		return path;
	}
}

/** Where a link leads whose target does not exist. */
function linkTarget(path: string): string | undefined {
	try {
		return lstatSync(path).isSymbolicLink() ? resolve(dirname(path), readlinkSync(path)) : undefined;
	} catch {
		return undefined;
	}
}
