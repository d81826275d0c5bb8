// Preloaded into a process. When the process ends, it writes to a file the names of the packages, of Node's built-in
// modules and of the parts of a bundle that it loaded.
import { readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

const names = new Set();

registerHooks({
	load(url, context, nextLoad) {
		const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
		if (url.startsWith('node:')) names.add(url);
		else if (name !== undefined) names.add(name);
		if (name === '.bursar-bundles') names.add(url.slice(url.lastIndexOf('/') + 1));
		if (name === '.bursar-bundles') for (const bundled of namesIn(fileURLToPath(url))) names.add(bundled);
		return nextLoad(url, context);
	},
});
process.on('exit', () => writeFileSync(process.env.LOADED_PACKAGES_FILE, JSON.stringify([...names])));

/** A bundle has a comment with the path above each module. */
function namesIn(file) {
	const modules = readFileSync(file, 'utf8').matchAll(/^\/\/ node_modules\/((?:@[^/]+\/)?[^/]+)/gm);
	return Array.from(modules, ([, name]) => name);
}
