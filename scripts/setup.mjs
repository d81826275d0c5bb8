// Runs on any Node from 18 on: this is what makes everything else run on the pinned one.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pinnedNode, runInForeground } from '../packages/pinned-node/index.js';

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

/** Runs the pinned Node, or this one where there is none for this machine. */
export function runNode(args, environment = {}) {
	return runInForeground(pinnedNode() ?? process.execPath, args, {
		cwd: root,
		env: { ...process.env, ...environment },
	});
}

if (process.argv[1] === fileURLToPath(import.meta.url)) setUp();
