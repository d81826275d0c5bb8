import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '@bursar/testing/free-port';
import { endProcess } from '@bursar/testing/processes';
import { seedEdge } from './seed.ts';
import { HERE, startBursar, startProgram, startServer } from './servers.ts';
import { openSqlite } from './stores.ts';

/** A running proxy. */
export interface RunningProxy {
	readonly name: string;
	readonly pid: number;
	readonly port: number;
	/** What its clients say in `Proxy-Authorization`. */
	readonly authorization?: string | undefined;
}

const BURSAR_EDGE = join(HERE, 'packages/edge/bin/bursar-edge.js');
/** The load comes from one address. */
const MAX_CONNECTIONS = '1000';
const SQUID_START_LIMIT_MS = 20_000;

/** proxy-chain as it is, which asks for no password. */
export async function startPlainProxyChain(stops: AsyncDisposableStack): Promise<RunningProxy> {
	const { url, pid, stop } = await startProgram('plain-proxy-chain.ts');
	stops.defer(stop);
	return { name: 'plain proxy-chain', pid, port: portOf(url) };
}

/** `bursar-edge proxy`, with a service that checks the pairs and counts the bytes. */
export async function startBursarEdge(origin: string, stops: AsyncDisposableStack): Promise<RunningProxy> {
	const store = await openSqlite(stops).newStore();
	const { key, pairs } = await seedEdge(store, 1);
	const bursar = await startBursar(store);
	stops.defer(bursar.stop);
	const [pair] = pairs;
	const authorization = `Basic ${Buffer.from(`${pair?.username}:${pair?.password}`).toString('base64')}`;
	return { ...(await startEdgeOf(bursar.edgeUrl, key, origin, stops)), authorization };
}

/** `bursar-edge proxy` as the edge of a service that has this key. */
export async function startEdgeOf(
	edgeUrl: string,
	key: string,
	origin: string,
	stops: AsyncDisposableStack,
): Promise<RunningProxy> {
	const args = ['--allow', origin, '--max-connections-per-client', MAX_CONNECTIONS, '--port', '0', '--ops-port', '0'];
	const environment = { BURSAR_EDGE_URL: edgeUrl, BURSAR_EDGE_KEY: key };
	const { url, pid, stop } = await startServer([BURSAR_EDGE, 'proxy', ...args], environment);
	stops.defer(stop);
	return { name: 'bursar-edge proxy', pid, port: portOf(url) };
}

/** Squid as one process, which asks for no password, keeps no answers and writes no log. `undefined` if it is not installed. */
export async function startSquid(stops: AsyncDisposableStack): Promise<RunningProxy | undefined> {
	if (!isSquidInstalled()) return undefined;
	const folder = mkdtempSync(join(tmpdir(), 'bursar-bench-squid-'));
	// Started by root, Squid runs as a user of its own.
	chmodSync(folder, 0o777);
	stops.defer(async () => rmSync(folder, { recursive: true }));
	const port = await freePort();
	const file = join(folder, 'squid.conf');
	const lines = [
		`http_port 127.0.0.1:${port}`,
		'http_access allow all',
		'cache deny all',
		'access_log none',
		`cache_log ${folder}/cache.log`,
		`coredump_dir ${folder}`,
		'pid_filename none',
		'pinger_enable off',
		'shutdown_lifetime 0 seconds',
		'visible_hostname squid.bench',
	];
	writeFileSync(file, `${lines.join('\n')}\n`);
	const child = spawn('squid', ['-N', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] });
	stops.defer(() => endProcess(child, 'SIGTERM'));
	const failed = once(child, 'exit').then(() => Promise.reject(new Error('Squid could not be started')));
	await Promise.race([acceptsAt(port), failed]);
	failed.catch(() => {});
	return { name: 'Squid', pid: child.pid as number, port };
}

function isSquidInstalled(): boolean {
	try {
		execFileSync('squid', ['-v'], { stdio: 'ignore' });
		return true;
	} catch {
		return false;
	}
}

async function acceptsAt(port: number): Promise<void> {
	const endMs = performance.now() + SQUID_START_LIMIT_MS;
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
	throw new Error('Squid could not be started');
}

function portOf(url: string): number {
	return Number(new URL(url).port);
}
