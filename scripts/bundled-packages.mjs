// Preloaded into test processes: our sources load the bundle of some packages instead of their hundreds of files.
import { registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { currentBundle, PACKAGES } from '../packages/pinned-node/bundle.js';

const folder = currentBundle(dirname(import.meta.dirname), 'packages');
if (folder !== undefined) {
	registerHooks({
		resolve(specifier, context, nextResolve) {
			const file = Object.hasOwn(PACKAGES, specifier) ? PACKAGES[specifier] : undefined;
			// Another package may need another version.
			if (file === undefined || context.parentURL?.includes('/node_modules/')) return nextResolve(specifier, context);
			return { url: pathToFileURL(join(folder, file)).href, format: 'module', shortCircuit: true };
		},
	});
}
