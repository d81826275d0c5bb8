// Preloaded into a process. When the process ends, it writes to a file the names of the packages, of Node's built-in
// modules and of the parts of a bundle that it loaded.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { basename } from 'node:path';

const names = new Set();

registerHooks({
	load(url, context, nextLoad) {
		const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
		if (url.startsWith('node:')) names.add(url);
		else if (name !== undefined) names.add(name);
		return nextLoad(url, context);
	},
});
process.on('exit', () => {
	for (const file of Object.keys(createRequire(import.meta.url).cache)) {
		if (!file.includes('.bursar-bundles')) continue;
		names.add('.bursar-bundles').add(basename(file));
		for (const bundled of namesIn(file)) names.add(bundled);
	}
	// The first use of the global `performance` loads it, which no hook sees.
	if (process.moduleLoadList.includes('NativeModule perf_hooks')) names.add('node:perf_hooks');
	writeFileSync(process.env.LOADED_PACKAGES_FILE, JSON.stringify([...names]));
});

/** A bundle has a comment with the path above each module. */
function namesIn(file) {
	const modules = readFileSync(file, 'utf8').matchAll(/^\/\/ node_modules\/((?:@[^/]+\/)?[^/]+)/gm);
	return Array.from(modules, ([, name]) => name);
}
