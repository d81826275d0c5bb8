// Loaded into a process before all else: when that ends, the names of the packages that it has loaded are in a file.
import { readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

const names = new Set();

registerHooks({
	load(url, context, nextLoad) {
		const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
		if (name === '.bursar-bundles') for (const bundled of namesIn(fileURLToPath(url))) names.add(bundled);
		else if (name !== undefined) names.add(name);
		return nextLoad(url, context);
	},
});
process.on('exit', () => writeFileSync(process.env.LOADED_PACKAGES_FILE, JSON.stringify([...names])));

/** Above each module in a bundle stands a comment with its path. */
function namesIn(file) {
	const modules = readFileSync(file, 'utf8').matchAll(/^\/\/ node_modules\/((?:@[^/]+\/)?[^/]+)/gm);
	return Array.from(modules, ([, name]) => name);
}
