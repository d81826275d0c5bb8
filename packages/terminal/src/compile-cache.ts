import { existsSync, mkdirSync, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Lets Node keep compiled code in the nearest `node_modules` above a folder, also for threads and processes that this
 * process starts. Later runs execute that code. So nothing is kept if other users can write there.
 */
export function keepCompiledCode(folder: string): void {
	const modules = nearestModules(folder);
	if (modules === undefined || process.getuid === undefined) return;
	const cache = join(modules, '.bursar-compiled');
	try {
		mkdirSync(cache, { mode: 0o700 });
	} catch {
		// It is there already, or this user cannot make it.
	}
	const found = statSync(cache, { throwIfNoEntry: false });
	if (found?.uid !== process.getuid() || (found.mode & 0o022) !== 0) return;
	process.env.NODE_COMPILE_CACHE = cache;
	enableCompileCache(cache);
}

function nearestModules(folder: string): string | undefined {
	const modules = join(folder, 'node_modules');
	if (existsSync(modules)) return modules;
	const above = dirname(folder);
	return above === folder ? undefined : nearestModules(above);
}
