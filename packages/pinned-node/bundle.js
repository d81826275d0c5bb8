// Finds what the set-up has made from sources: the bundle of a command line, the dashboard's pages.
const { readFileSync, statSync } = require('node:fs');
const { join } = require('node:path');

/**
 * The parts of each bundle: its entries, first the program, and the packages whose sources it contains. In the folder of
 * `commands`, each file is loaded only if its name is among the arguments.
 */
const PROGRAMS = {
	bursar: {
		entries: [
			'packages/server/src/cli/bursar.ts',
			'packages/server/src/store/sqlite/reading-thread.ts',
			'packages/server/src/store/sqlite/writer-thread.ts',
		],
		commands: 'packages/server/src/cli/commands',
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

/**
 * The folder of a program's bundle; `undefined` unless it is complete and certainly made from the present sources. With
 * arguments, this is checked only for what these can load.
 */
function currentBundle(root, name, args) {
	return stampedFolder(root, join(root, 'node_modules', '.bursar-bundles', name), args);
}

/** The newest folder in `home`; `undefined` unless it is complete and certainly made from the present sources. */
function stampedFolder(root, home, args) {
	try {
		const stamp = JSON.parse(readFileSync(join(home, 'stamp.json'), 'utf8'));
		const { folder, parts } = stamp;
		for (const { commands, files, sources } of [stamp, ...parts]) {
			if (args && commands && !commands.some((command) => args.includes(command))) continue;
			for (const [file, size] of Object.entries(files)) {
				if (statSync(`${home}/${folder}/${file}`).size !== size) return undefined;
			}
			for (const [file, before] of Object.entries(sources)) {
				const now = fingerprintOf(`${root}/${file}`);
				if (now.some((value, place) => value !== before[place])) return undefined;
			}
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
