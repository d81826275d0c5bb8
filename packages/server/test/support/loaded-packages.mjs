// Preloaded into a process. When the process ends, it writes the names of the packages and of Node's built-in modules
// that it loaded to a file.
import { readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

const names = new Set();

registerHooks({
	load(url, context, nextLoad) {
		const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
		if (url.startsWith('node:')) names.add(url);
		else if (name !== undefined) names.add(name);
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
