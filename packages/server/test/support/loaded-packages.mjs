// Loaded into a process before all else: when that ends, the names of the packages that it has loaded are in a file.
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const names = new Set();

registerHooks({
	load(url, context, nextLoad) {
		const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
		if (name !== undefined) names.add(name);
		return nextLoad(url, context);
	},
});
process.on('exit', () => writeFileSync(process.env.LOADED_PACKAGES_FILE, JSON.stringify([...names])));
