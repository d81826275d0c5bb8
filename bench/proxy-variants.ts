import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '@bursar/testing/free-port';
import { type Engine, type Stops, startOnSqlite } from './edge-engines.ts';
import { startTarget } from './target-process.ts';

/** A running proxy. */
export interface ProxyVariant {
	readonly name: string;
	readonly pid: number;
	readonly port: number;
	/** What its clients say in `Proxy-Authorization`. */
	readonly authorization?: string;
}

const BURSAR_EDGE = join(import.meta.dirname, '../packages/edge/bin/bursar-edge.js');
const SQUID_START_LIMIT_MS = 20_000;
/** The load comes from one address. */
const MAX_CONNECTIONS = '1000';

/** proxy-chain as it is, which asks for no password. */
export async function startPlainProxyChain(stops: Stops): Promise<ProxyVariant> {
	const { name, url, child, stop } = await startTarget('plain proxy-chain', ['plain-proxy-chain.ts']);
	stops.push(stop);
	return { name, pid: child.pid as number, port: portOf(url) };
}

/** `bursar-edge proxy`, with a service that checks the pairs and counts the bytes. */
export async function startBursarEdge(origin: string, stops: Stops): Promise<ProxyVariant> {
	const { edge, service } = await startOnSqlite(1, stops);
	const args = ['--allow', origin, '--max-connections-per-client', MAX_CONNECTIONS, '--port', '0', '--ops-port', '0'];
	const child = spawn(process.execPath, [BURSAR_EDGE, 'proxy', ...args], {
		env: { ...process.env, BURSAR_EDGE_URL: service.edgeUrl, BURSAR_EDGE_KEY: edge.key, BURSAR_LOG_LEVEL: 'warn' },
		stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
	});
	const ended = once(child, 'exit');
	stops.push(async () => {
		child.kill('SIGTERM');
		await ended;
	});
	const message = once(child, 'message');
	const [{ url }] = (await Promise.race([message, ended.then(() => fail('bursar-edge'))])) as [{ url: string }];
	return {
		name: 'bursar-edge proxy',
		pid: child.pid as number,
		port: portOf(url),
		authorization: authorizationOf(edge),
	};
}

/** Squid as one process, which asks for no password, keeps no answers and writes no log. `undefined` if it is not installed. */
export async function startSquid(stops: Stops): Promise<ProxyVariant | undefined> {
	if (!isSquidInstalled()) return undefined;
	const folder = mkdtempSync(join(tmpdir(), 'bursar-bench-squid-'));
	// Started by root, Squid runs as a user of its own.
	chmodSync(folder, 0o777);
	stops.push(async () => rmSync(folder, { recursive: true }));
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
	const ended = once(child, 'exit');
	stops.push(async () => {
		child.kill('SIGTERM');
		await ended;
	});
	await Promise.race([acceptsAt(port), ended.then(() => fail('Squid'))]);
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
	fail('Squid');
}

function authorizationOf({ pairs: [pair] }: Engine['edge']): string {
	return `Basic ${Buffer.from(`${pair?.username}:${pair?.password}`).toString('base64')}`;
}

function portOf(url: string): number {
	return Number(new URL(url).port);
}

function fail(name: string): never {
	throw new Error(`${name} could not be started`);
}
