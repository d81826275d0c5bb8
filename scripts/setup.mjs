// Installs the packages and builds the dashboard's pages, unless that is done. Runs on Node 18 and newer.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pinnedNode, root, runNode } from './pinned-node.mjs';

/** Not in `node_modules`, because npm first removes that folder. */
const LOCK = join(root, '.bursar-installing');
const LOCK_CHECK_MS = 500;
const LONGEST_INSTALLATION_MS = 15 * 60_000;

const DASHBOARD = join(root, 'packages/dashboard');
/** What the pages are made of. */
const PAGE_SOURCES = [
	...['src', 'index.html', 'build.ts'].map((name) => join(DASHBOARD, name)),
	join(root, 'packages/contract/src'),
	join(root, 'package-lock.json'),
];

export async function setUp() {
	installPackages(root, 'Bursar');
	await buildPages();
}

/** Installs what the lockfile of a folder says, unless that is done. */
export function installPackages(folder, name) {
	const stamp = join(folder, 'node_modules', '.bursar-setup');
	const lockfile = createHash('sha256')
		.update(readFileSync(join(folder, 'package-lock.json')))
		.digest('hex');
	const isInstalled = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === lockfile;
	if (isInstalled()) return;
	const release = lockInstallation();
	if (!isInstalled()) {
		process.stderr.write(`Installing what ${name} needs (once)...\n`);
		// If npm is killed now, the next set-up begins again.
		rmSync(stamp, { force: true });
		runNpm(folder, process.execPath, 'ci');
		// npm leaves out optional packages for which its own Node is too old. The pinned Node is not.
		const node = pinnedNode();
		if (isTooOldForTools() && node !== undefined) runNpm(folder, node, 'install', '--no-save');
		writeFileSync(stamp, lockfile);
	}
	release();
}

/** Waits until no other process installs: two of them would remove each other's packages. */
function lockInstallation() {
	for (let isTold = false; ; isTold = true) {
		try {
			writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
			const release = () => rmSync(LOCK, { force: true });
			process.once('exit', release);
			return release;
		} catch (cause) {
			if (cause.code !== 'EEXIST') throw cause;
		}
		if (isAbandoned()) rmSync(LOCK, { force: true });
		else if (!isTold) process.stderr.write('Waiting for another process to finish installing...\n');
		Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_CHECK_MS);
	}
}

/** Whether the process with the lock is gone, or has held it longer than any installation takes. */
function isAbandoned() {
	try {
		if (Date.now() - statSync(LOCK).mtimeMs > LONGEST_INSTALLATION_MS) return true;
		const pid = Number(readFileSync(LOCK, 'utf8'));
		// The file is empty just after it is created.
		if (pid > 0) process.kill(pid, 0);
		return false;
	} catch (cause) {
		return cause.code === 'ESRCH';
	}
}

/** Some of our tools need Node 20.19 or 22.12. */
function isTooOldForTools() {
	const [major, minor] = process.versions.node.split('.').map(Number);
	return major < 20 || (major === 20 && minor < 19) || major === 21 || (major === 22 && minor < 12);
}

/** Runs npm on a Node, in a folder. Ends this process if it fails. */
function runNpm(folder, node, ...how) {
	const npm = process.env.npm_execpath;
	const command = npm ? [node, npm] : [process.platform === 'win32' ? 'npm.cmd' : 'npm'];
	const args = [...command.slice(1), ...how, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
	const { status } = spawnSync(command[0], args, {
		cwd: folder,
		// If we start npm by name, it finds its Node in `PATH`.
		...(!npm && { env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` } }),
		stdio: ['ignore', 2, 2],
		shell: !npm && process.platform === 'win32',
	});
	if (status === 0) return;
	process.stderr.write('The installation failed. The output of npm above says why.\n');
	process.exit(1);
}

/** Builds the pages if a source is newer. Without them, the service says at their address that they were not built. */
async function buildPages() {
	const page = statSync(join(DASHBOARD, 'dist/index.html'), { throwIfNoEntry: false });
	if (page && Math.max(...PAGE_SOURCES.map(changedMs)) < page.mtimeMs) return;
	process.stderr.write('Building the dashboard (once)...\n');
	const exitCode = await runNode([join(DASHBOARD, 'build.ts')], { stdio: ['ignore', 2, 2] });
	if (exitCode !== 0) process.stderr.write('The dashboard was not built. The rest of the service works without it.\n');
}

/** When the file, or the newest file in the folder, last changed. */
function changedMs(path) {
	const found = statSync(path);
	if (!found.isDirectory()) return found.mtimeMs;
	return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => changedMs(join(path, name))));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await setUp();
