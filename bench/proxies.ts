import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '@bursar/testing/free-port';
import { endProcess } from '@bursar/testing/processes';
import type { ProxyAddress } from './programs/open-tunnel.ts';
import { seedEdge } from './seed.ts';
import { HERE, startBursar, startServer } from './servers.ts';
import { openSqlite } from './stores.ts';

/** A program that is measured. Each start is a process of its own. */
export interface ProxyProgram {
	readonly name: string;
	readonly protocols: readonly ProxyAddress['protocol'][];
	start(stops: AsyncDisposableStack): Promise<RunningProxy>;
}

/** A program that is left out if it is not installed. */
interface InstalledProgram extends ProxyProgram {
	readonly binary: string;
}

/** A running proxy. */
export interface RunningProxy {
	/** It may have children. */
	readonly pid: number;
	readonly port: number;
	/** The username and password of its clients. */
	readonly pair?: ProxyAddress['pair'];
}

const BURSAR_EDGE = 'packages/edge/bin/bursar-edge.js';
/** All load comes from one address, and is that of one account. */
const MAX_CONNECTIONS = '10000';
const START_LIMIT_MS = 20_000;
/** A helper that accepts every password. */
const SQUID_HELPER = '#!/bin/sh\nwhile read -r id pair; do echo "$id OK"; done\n';

/** Squid, which asks a helper about passwords and writes its access log, as with docs/edge/squid.conf. */
export const SQUID = {
	name: 'Squid',
	protocols: ['http'],
	binary: 'squid',
	async start(stops) {
		const { folder, port } = await prepare('squid', stops);
		const helper = join(folder, 'helper.sh');
		writeFileSync(helper, SQUID_HELPER, { mode: 0o755 });
		const args = ['-N', '-f', writeLines(join(folder, 'squid.conf'), squidLines(folder, port, helper))];
		return { pid: await startAt(port, 'squid', args, stops), port, pair: { username: 'bench', password: 'secret' } };
	},
} satisfies InstalledProgram;

/** dante, which asks for no password and writes no log. */
export const DANTE = {
	name: 'dante',
	protocols: ['socks5'],
	binary: 'danted',
	async start(stops) {
		const { folder, port } = await prepare('dante', stops);
		const args = ['-f', writeLines(join(folder, 'danted.conf'), danteLines(port)), '-p', join(folder, 'danted.pid')];
		return { pid: await startAt(port, 'danted', args, stops), port };
	},
} satisfies InstalledProgram;

/** `bursar-edge proxy` of this checkout and of another one. One service checks their pairs and counts their bytes. */
export async function prepareBursarEdges(
	origin: string,
	checkouts: readonly string[],
	stops: AsyncDisposableStack,
): Promise<readonly ProxyProgram[]> {
	const store = await openSqlite(stops).newStore();
	const { key, pairs } = await seedEdge(store, 1);
	const bursar = await startBursar(store);
	stops.defer(bursar.stop);
	return [HERE, ...checkouts].map((checkout) => ({
		name: checkout === HERE ? 'bursar-edge proxy' : 'the other checkout',
		// An old one has no SOCKS.
		protocols: checkout === HERE ? ['http', 'socks5'] : ['http'],
		async start(running) {
			return { ...(await startEdgeOf(bursar.edgeUrl, key, origin, running, checkout)), pair: pairs[0] };
		},
	}));
}

/** `bursar-edge proxy` as the edge of a service that has this key. */
export async function startEdgeOf(
	edgeUrl: string,
	key: string,
	origin: string,
	stops: AsyncDisposableStack,
	checkout = HERE,
): Promise<RunningProxy> {
	const limits = ['--max-connections-per-client', MAX_CONNECTIONS, '--max-connections-per-account', MAX_CONNECTIONS];
	const args = ['--allow', origin, ...limits, '--port', '0', '--ops-port', '0'];
	const environment = { BURSAR_EDGE_URL: edgeUrl, BURSAR_EDGE_KEY: key };
	const { url, pid, stop } = await startServer([join(checkout, BURSAR_EDGE), 'proxy', ...args], environment);
	stops.defer(stop);
	return { pid, port: Number(new URL(url).port) };
}

export function isInstalled({ binary }: InstalledProgram): boolean {
	return !spawnSync(binary, ['-v'], { stdio: 'ignore' }).error;
}

function squidLines(folder: string, port: number, helper: string): readonly string[] {
	return [
		`http_port 127.0.0.1:${port}`,
		`auth_param basic program ${helper}`,
		'auth_param basic children 1 startup=0 idle=1 concurrency=5000 queue-size=10000 on-persistent-overload=ERR',
		'auth_param basic key_extras "%>a %>p %#{Proxy-Authorization}>h"',
		'auth_param basic credentialsttl 1 second',
		'auth_param basic casesensitive on',
		'acl users proxy_auth REQUIRED',
		'http_access allow users',
		'http_access deny all',
		'cache deny all',
		'via off',
		'forwarded_for delete',
		`access_log stdio:${folder}/access.log`,
		`cache_log ${folder}/cache.log`,
		`coredump_dir ${folder}`,
		'pid_filename none',
		'pinger_enable off',
		'shutdown_lifetime 0 seconds',
		'visible_hostname squid.bench',
	];
}

function danteLines(port: number): readonly string[] {
	return [
		'logoutput: /dev/null',
		`internal: 127.0.0.1 port = ${port}`,
		'external: 127.0.0.1',
		'clientmethod: none',
		'socksmethod: none',
		'client pass { from: 127.0.0.0/8 to: 0.0.0.0/0 }',
		'socks pass { from: 127.0.0.0/8 to: 0.0.0.0/0 }',
	];
}

/** A folder and a free port for a program. */
async function prepare(name: string, stops: AsyncDisposableStack) {
	const folder = mkdtempSync(join(tmpdir(), `bursar-bench-${name}-`));
	// Started by root, the program may run as a user of its own.
	chmodSync(folder, 0o777);
	stops.defer(async () => rmSync(folder, { recursive: true }));
	return { folder, port: await freePort() };
}

function writeLines(file: string, lines: readonly string[]): string {
	writeFileSync(file, `${lines.join('\n')}\n`);
	return file;
}

/** Starts a program that stays in the foreground, and waits until it accepts connections. Resolves to its id. */
async function startAt(
	port: number,
	program: string,
	args: readonly string[],
	stops: AsyncDisposableStack,
): Promise<number> {
	const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
	stops.defer(() => endProcess(child, 'SIGTERM'));
	const failed = once(child, 'exit').then(() => Promise.reject(new Error(`${program} could not be started`)));
	await Promise.race([acceptsAt(port), failed]);
	failed.catch(() => {});
	return child.pid as number;
}

async function acceptsAt(port: number): Promise<void> {
	const endMs = performance.now() + START_LIMIT_MS;
	while (performance.now() < endMs) {
		const socket = connect(port, '127.0.0.1');
		const isOpen = await once(socket, 'connect').then(
			() => true,
			() => false,
		);
		socket.destroy();
		if (isOpen) return;
		await setTimeout(100);
	}
	throw new Error('the proxy accepts no connections');
}
