// Finds what the set-up has made from sources: the bundle of a command line, the dashboard's pages.
const { readFileSync, statSync } = require('node:fs');
const { join } = require('node:path');

/** The parts of each bundle: its entries, first the program, and the packages whose sources it contains. */
const PROGRAMS = {
	bursar: {
		entries: [
			'packages/server/src/cli/bursar.ts',
			'packages/server/src/store/sqlite/reading-thread.ts',
			'packages/server/src/store/sqlite/writer-thread.ts',
		],
		packages: ['contract', 'server', 'terminal'],
	},
	bursarctl: {
		entries: ['packages/cli/src/bursarctl.ts'],
		packages: ['cli', 'client', 'contract', 'terminal'],
	},
	'bursar-edge': {
		entries: ['packages/edge/src/bursar-edge.ts'],
		packages: ['contract', 'edge', 'terminal'],
	},
};

/** Below the root of the installation. */
const DASHBOARD = 'packages/dashboard/dist';

/** The folder of a program's bundle; `undefined` unless it is complete and certainly made from the present sources. */
function currentBundle(root, name) {
	return stampedFolder(root, join(root, 'node_modules', '.bursar-bundles', name));
}

/** The newest folder in `home`; `undefined` unless it is complete and certainly made from the present sources. */
function stampedFolder(root, home) {
	try {
		const { folder, files, sources } = JSON.parse(readFileSync(join(home, 'stamp.json'), 'utf8'));
		for (const [file, size] of Object.entries(files)) {
			if (statSync(`${home}/${folder}/${file}`).size !== size) return undefined;
		}
		for (const [file, before] of Object.entries(sources)) {
			const now = fingerprintOf(`${root}/${file}`);
			if (now.some((value, place) => value !== before[place])) return undefined;
		}
		return join(home, folder);
	} catch {
		return undefined;
	}
}

/**
 * Changes whenever the file changes. No program can set the time of the last change of a file's state (ctime): it is
 * new after an edit, a checkout and `cp -p`, even if these keep the time of modification (mtime).
 */
function fingerprintOf(file) {
	const { ctimeMs, mtimeMs, size, ino } = statSync(file);
	return [ctimeMs, mtimeMs, size, ino];
}

module.exports = { DASHBOARD, PROGRAMS, currentBundle, fingerprintOf, stampedFolder };
