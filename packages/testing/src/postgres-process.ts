import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { PostgresInstallation } from './postgres-installation.ts';
import { processOptions } from './postgres-user.ts';
import { endProcess, listProcesses } from './processes.ts';

const LIMIT_MS = 60_000;
const POLL_MS = 5;

/** Resolves when the process runs. It may not accept connections yet. */
export async function spawnPostmaster({ binFolder }: PostgresInstallation, folder: string): Promise<ChildProcess> {
	const log = await open(join(folder, 'log'), 'a');
	const postmaster = spawn(join(binFolder, 'postgres'), ['-D', join(folder, 'data')], {
		...processOptions(folder),
		stdio: ['ignore', log.fd, log.fd],
	});
	// A server that a test forgot to remove must not keep the tests from ending.
	postmaster.unref();
	try {
		await once(postmaster, 'spawn');
		guard(postmaster, folder);
	} finally {
		await log.close();
	}
	return postmaster;
}

/**
 * Starts a shell that ends the server when this process ends in any way, because that closes the shell's standard
 * input. The shell has its own process group, so that Ctrl-C does not reach it first.
 */
function guard(postmaster: ChildProcess, folder: string): void {
	const shell = spawn('/bin/sh', ['-c', `read -r _; kill -QUIT ${postmaster.pid}`], {
		...processOptions(folder),
		stdio: ['pipe', 'ignore', 'ignore'],
		detached: true,
	});
	shell.unref();
	(shell.stdin as Socket).unref();
	postmaster.on('exit', () => shell.kill('SIGKILL'));
}

/** Kills the postmaster and its children. Each child has its own process group, so each is killed by its id. */
export async function killFamily(postmaster: ChildProcess): Promise<void> {
	const children = await freezeFamily(postmaster);
	for (const id of children) process.kill(id, 'SIGKILL');
	await endProcess(postmaster, 'SIGKILL');
	const giveUpAt = performance.now() + LIMIT_MS;
	while (listProcesses().filter(({ id, state }) => children.includes(id) && state !== 'Z').length > 0) {
		if (performance.now() > giveUpAt) throw new Error('processes of the server are left');
		await setTimeout(POLL_MS);
	}
}

/** Stops the postmaster and its children. Returns their ids, which stay valid until the postmaster is killed. */
export async function freezeFamily(postmaster: ChildProcess): Promise<readonly number[]> {
	postmaster.kill('SIGSTOP');
	const children = listProcesses()
		.filter(({ parentId }) => parentId === postmaster.pid)
		.map(({ id }) => id);
	for (const id of children) process.kill(id, 'SIGSTOP');
	return children;
}
