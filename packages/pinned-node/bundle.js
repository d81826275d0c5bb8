// Finds the bundle of a command line that the set-up has made, and tells whether it is made from the sources of today.
const { readFileSync, statSync } = require('node:fs');
const { join } = require('node:path');

/** What each bundle is made of: its entries, the first being the program, and the packages whose sources it holds. */
const PROGRAMS = {
	bursar: {
		entries: ['packages/server/src/cli/bursar.ts', 'packages/server/src/store/sqlite/writer-thread.ts'],
		packages: ['contract', 'server', 'terminal'],
	},
	bursarctl: {
		entries: ['packages/cli/src/bursarctl.ts'],
		packages: ['cli', 'client', 'contract', 'terminal'],
	},
};

/** The folder of a program's bundle; `undefined` unless it is whole, and was certainly made from the sources as they are now. */
function currentBundle(root, name) {
	const home = join(root, 'node_modules', '.bursar-bundles', name);
	try {
		const { folder, files, sources } = JSON.parse(readFileSync(join(home, 'stamp.json'), 'utf8'));
		for (const [file, size] of Object.entries(files)) {
			if (statSync(join(home, folder, file)).size !== size) return undefined;
		}
		for (const [file, before] of Object.entries(sources)) {
			const now = fingerprintOf(join(root, file));
			if (now.some((value, place) => value !== before[place])) return undefined;
		}
		return join(home, folder);
	} catch {
		return undefined;
	}
}

/**
 * Tells whether a file is the one that it was. No program can choose the time of the last change of a file's state
 * (ctime): it is new after an edit, a checkout and `cp -p`, whatever time of modification (mtime) they leave.
 */
function fingerprintOf(file) {
	const { ctimeMs, mtimeMs, size, ino } = statSync(file);
	return [ctimeMs, mtimeMs, size, ino];
}

module.exports = { PROGRAMS, currentBundle, fingerprintOf };
