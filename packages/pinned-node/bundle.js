// Finds what the set-up has made from sources (the bundle of a command line, the dashboard's pages), and runs the files
// of a bundle with the code that the set-up has compiled. One file, because each takes Node half a millisecond to load.
const { readFileSync, statSync } = require('node:fs');
const { join } = require('node:path');
const { Script, constants } = require('node:vm');

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

/** The ends of the names of files with compiled code. Before each is the name of the file of the bundle. */
const COMPILED = { commands: '.compiled', service: '.service-compiled' };
/** The size of the number at the end of such a file. */
const LENGTH_BYTES = 4;

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
		const { folder, groups } = JSON.parse(readFileSync(join(home, 'stamp.json'), 'utf8'));
		for (const { commands, files, sources } of groups) {
			if (args && commands && !commands.some((command) => args.includes(command))) continue;
			for (const { file, size } of files) {
				if (statSync(`${home}/${folder}/${file}`).size !== size) return undefined;
			}
			for (const source of sources) {
				if (!isUnchanged(root, source)) return undefined;
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
function fingerprintOf(path) {
	const { ctimeMs, mtimeMs, size, ino } = statSync(path);
	return { ctimeMs, mtimeMs, size, ino };
}

function isUnchanged(root, { file, ctimeMs, mtimeMs, size, ino }) {
	const now = statSync(`${root}/${file}`);
	return now.ctimeMs === ctimeMs && now.mtimeMs === mtimeMs && now.size === size && now.ino === ino;
}

/**
 * The exports of a file in a bundle. `compile` returns the script of a file, or `undefined` for a file without compiled
 * code. `load` loads such a file.
 */
function loadBundle(folder, name, { compile = withCompiledCode, load = require }) {
	const file = join(folder, name);
	// Files that `load` has loaded use the same modules.
	const loaded = require.cache[file];
	if (loaded !== undefined) return loaded.exports;
	const script = compile(file);
	if (script === undefined) return load(file);

	const module = { id: file, filename: file, loaded: true, exports: {} };
	require.cache[file] = module;
	const requireFromBundle = (wanted) => {
		if (wanted.startsWith('./')) return loadBundle(folder, wanted.slice(2), { compile, load });
		return require(wanted.startsWith('../') ? join(folder, wanted) : wanted);
	};
	script.runInThisContext().call(module.exports, module.exports, requireFromBundle, module, file, folder);
	return module.exports;
}

/** The script of a file with the code that the set-up has compiled for the present flags of V8; `undefined` if none. */
function withCompiledCode(file) {
	for (const end of Object.values(COMPILED)) {
		let bytes;
		try {
			bytes = readFileSync(`${file}${end}`);
		} catch {
			continue;
		}
		const lengthAt = bytes.length - LENGTH_BYTES;
		const codeEnd = bytes.readUInt32LE(lengthAt);
		const script = scriptOf(file, bytes.toString('utf8', codeEnd, lengthAt), bytes.subarray(0, codeEnd));
		// V8 rejects code that is for another version of Node or for other flags.
		if (!script.cachedDataRejected) return script;
	}
	return undefined;
}

/** What a file with compiled code contains: the code, then the source, then the length of the code. */
function compiledFile(code, source) {
	const length = Buffer.alloc(LENGTH_BYTES);
	length.writeUInt32LE(code.length);
	return Buffer.concat([code, Buffer.from(source), length]);
}

/** The source of a file, as a function whose parameters are what a CommonJS module can use. */
function sourceOf(file) {
	return `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'utf8')}\n})`;
}

function scriptOf(file, source, cachedData) {
	return new Script(source, {
		filename: file,
		cachedData,
		importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
	});
}

module.exports = {
	COMPILED,
	DASHBOARD,
	PROGRAMS,
	compiledFile,
	currentBundle,
	fingerprintOf,
	loadBundle,
	scriptOf,
	sourceOf,
	stampedFolder,
};
