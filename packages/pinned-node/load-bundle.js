// Runs the files of a bundle, with the code that the set-up has compiled.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { Script, constants } = require('node:vm');

/** The end of the name of a file with compiled code. Before it is the name of the file of the bundle. */
const COMPILED = '.compiled';

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

/** If the compiled code is for another version of Node, or for other options of it, Node ignores it. */
function withCompiledCode(file) {
	let cachedData;
	try {
		cachedData = readFileSync(`${file}${COMPILED}`);
	} catch {
		return undefined;
	}
	return scriptOf(file, cachedData);
}

/** A function of what a CommonJS module can use. */
function scriptOf(file, cachedData) {
	const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'utf8')}\n})`;
	return new Script(source, {
		filename: file,
		cachedData,
		importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
	});
}

module.exports = { COMPILED, loadBundle, scriptOf };
