// Runs on Node 18 and newer. It makes everything else run on the pinned Node.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { currentBundle, DASHBOARD, PROGRAMS, stampedFolder } from '../packages/pinned-node/bundle.js';
import { compiledFolder, pinnedNode, runInForeground } from '../packages/pinned-node/index.js';

export const root = fileURLToPath(new URL('..', import.meta.url));
const STAMP = join(root, 'node_modules', '.bursar-setup');
/** Not in `node_modules`, because npm first removes that folder. */
const LOCK = join(root, '.bursar-installing');
const LOCK_CHECK_MS = 500;
const LONGEST_INSTALLATION_MS = 15 * 60_000;

/** What no program and no test of `npm test` needs: a quarter of all packages. */
const RARE_WORKSPACES = ['bench', 'tools'];

/**
 * Installs the packages in the lockfile, bundles the command lines and builds the dashboard, unless that is done. What
 * only checks and benchmarks need is installed if the caller asks for everything, or if it was installed before.
 */
export async function setUp({ everything = false } = {}) {
	installPackages(everything);
	await Promise.all([bundleCommandLines(), buildDashboard()]);
}

function installPackages(everything) {
	const lockfile = createHash('sha256')
		.update(readFileSync(join(root, 'package-lock.json')))
		.digest('hex');
	const usual = lockfile;
	const all = `${lockfile} with everything`;
	const stamp = () => (existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : '');
	const isInstalled = () => stamp() === all || (stamp() === usual && !everything);
	if (isInstalled()) return;
	const release = lockInstallation();
	if (!isInstalled()) {
		process.stderr.write('Installing what Bursar needs (once)...\n');
		const isUsualThere = stamp() === usual;
		const wanted = everything || stamp().endsWith('with everything') ? all : usual;
		const workspaces = wanted === all ? [] : usualWorkspaces();
		// If npm is killed now, the next set-up begins again.
		rmSync(STAMP, { force: true });
		// `npm ci` would first remove what running programs use.
		if (!isUsualThere) install(process.execPath, 'ci', ...workspaces);
		// npm omits optional packages for which its own Node is too old. The pinned Node is not.
		const node = pinnedNode();
		if (isUsualThere || (isTooOldForTools() && node !== undefined)) {
			install(node ?? process.execPath, 'install', '--no-save', ...workspaces);
		}
		writeFileSync(STAMP, wanted);
	}
	release();
}

/** What makes npm install only for the root and the usual workspaces. */
function usualWorkspaces() {
	const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	const usual = workspaces.filter((name) => !RARE_WORKSPACES.includes(name));
	return ['--include-workspace-root', ...usual.map((name) => `--workspace=${name}`)];
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

/** Runs npm on this Node to install the packages in the lockfile. */
function install(node, ...how) {
	const npm = process.env.npm_execpath;
	const command = npm ? [node, npm] : [process.platform === 'win32' ? 'npm.cmd' : 'npm'];
	const args = [...command.slice(1), ...how, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
	const { status } = spawnSync(command[0], args, {
		cwd: root,
		// If we start npm by name, it finds its Node in `PATH`.
		...(!npm && { env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` } }),
		stdio: ['ignore', 2, 2],
		shell: !npm && process.platform === 'win32',
	});
	if (status === 0) return;
	process.stderr.write('The installation failed. The output of npm above says why.\n');
	process.exit(1);
}

/** Without a bundle, the command lines run from their sources. That is slower, but not a failure. */
async function bundleCommandLines() {
	if (Object.keys(PROGRAMS).every((name) => currentBundle(root, name) !== undefined)) return;
	const node = pinnedNode();
	const modules = join(root, 'node_modules');
	const bundles = join(modules, '.bursar-bundles');
	if (node === undefined || !isWritable(existsSync(bundles) ? bundles : modules)) return;
	if (await runScript(node, 'bundle.mjs')) return;
	process.stderr.write('The command lines were not bundled. They run from their sources.\n');
}

/** Without its pages, the service says where the dashboard would be that it was not built. */
async function buildDashboard() {
	const home = join(root, DASHBOARD);
	if (stampedFolder(root, home) !== undefined) return;
	if (!isWritable(existsSync(home) ? home : dirname(home))) return;
	process.stderr.write('Building the dashboard (once)...\n');
	if (await runScript(pinnedNode() ?? process.execPath, 'build-dashboard.mjs')) return;
	process.stderr.write('The dashboard was not built. The rest of the service works without it.\n');
}

/** Returns whether the script succeeded. */
function runScript(node, name) {
	const child = spawn(node, [join(root, 'scripts', name)], { cwd: root, stdio: ['ignore', 2, 2] });
	return new Promise((resolve) => {
		child.once('error', () => resolve(false)).once('close', (code) => resolve(code === 0));
	});
}

function isWritable(folder) {
	try {
		accessSync(folder, constants.W_OK);
		return true;
	} catch {
		return false;
	}
}

/** Runs the pinned Node, or this one if there is no pinned Node for this machine. */
export function runNode(args, environment = {}) {
	const compiled = compiledFolder();
	return runInForeground(pinnedNode() ?? process.execPath, args, {
		cwd: root,
		env: { ...process.env, ...(compiled !== undefined && { NODE_COMPILE_CACHE: compiled }), ...environment },
	});
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await setUp();
