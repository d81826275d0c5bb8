import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Linux itself follows as many links in a row. */
const MOST_LINKS = 40;

/**
 * The path of a file without symbolic links, also if the file does not exist yet. Two runs that use different names for
 * one file must find each other's lock. If the folder does not exist either, the path stays as it is.
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

/** The target of a link that leads to no file. */
function linkTarget(path: string): string | undefined {
	try {
		return lstatSync(path).isSymbolicLink() ? resolve(dirname(path), readlinkSync(path)) : undefined;
	} catch {
		return undefined;
	}
}
