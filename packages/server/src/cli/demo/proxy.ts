import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { edgeRoutes } from '@bursar/contract/edge';
import { say } from '@bursar/terminal';
import { newEdgeKey } from '../../credentials.ts';
import { edgeProgram } from '../../installation.ts';
import type { Service } from '../../service.ts';
import type { Session } from '../session.ts';
import { DEMO_RESELLER } from './demo.ts';

/** A proxy for the pair of a sub-user of the demo. */
export interface DemoProxy {
	readonly username: string;
	/** Where it listens, by each protocol that it speaks, like `http://127.0.0.1:3128`. */
	readonly urls: readonly string[];
	/** With the username and the key. */
	readonly url: string;
	/** A page of the service: the only destination on this machine that the proxy serves. */
	readonly pageUrl: string;
	stop(): Promise<void>;
}

/** Documented as reserved in docs/edge. Operators must not use it for a proxy host, because each start ends its key. */
const EDGE = 'bursar-dev';
const USERNAME = 'alice';
const EDGE_ANSWER_LIMIT_MS = 10_000;
/** The usual port of a proxy, so that what was printed works after the next start too. */
const USUAL_PORT = 3128;
const READY_LIMIT_MS = 20_000;
/** The proxy reports its last bytes meanwhile. */
const STOP_LIMIT_MS = 3_000;

/**
 * Runs `bursar-edge proxy` in a process of its own, as the edge `bursar-dev`, with a new key at each start. `undefined`
 * if the store does not hold the demo, or if the proxy does not start, which standard error then tells. `logsTo` is 1 for
 * standard output, 2 for standard error. The proxy's port is 3128. It is any if that is in use, or
 * if the port of the service is any.
 */
export async function startDemoProxy(
	{ store, bank, config }: Session,
	{ url, edgeUrl, readEdges }: Pick<Service, 'url' | 'edgeUrl' | 'readEdges'>,
	logsTo: 1 | 2,
): Promise<DemoProxy | undefined> {
	const account = await store.findAccount(DEMO_RESELLER, USERNAME);
	if (!account || edgeUrl === undefined) return undefined;
	const { key, ...kept } = newEdgeKey();
	await bank.changePerson({ kind: 'revoke_edge', name: EDGE });
	const made = await bank.changePerson({ kind: 'create_edge', name: EDGE, ...kept });
	const edge = loopback(edgeUrl);
	if (!made.ok) return withoutProxy('its edge cannot be made');
	await readEdges();
	if (!(await isEdgeKnown(edge, key))) return withoutProxy(`its edge gets no answer at ${edge.origin}`);

	const service = loopback(url);
	const port = config.port !== 0 && (await isFree(USUAL_PORT)) ? USUAL_PORT : 0;
	const child = spawn(
		process.execPath,
		[edgeProgram, 'proxy', '--port', String(port), '--ops-port', '0', '--allow', service.host],
		{
			env: {
				PATH: process.env.PATH,
				NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
				BURSAR_EDGE_URL: edge.href,
				BURSAR_EDGE_KEY: key,
				// Without a problem, its lines would only stand in the way of what `bursar dev` prints.
				BURSAR_LOG_LEVEL: config.logLevel === 'info' ? 'warn' : config.logLevel,
			},
			// The proxy ends when the channel closes, so it never outlives this process.
			stdio: ['ignore', logsTo, 2, 'ipc'],
		},
	);
	const proxyUrl = await readyUrl(child);
	if (proxyUrl === undefined) {
		child.kill('SIGKILL');
		return withoutProxy('it does not start');
	}
	return {
		username: account.username,
		urls: ['http', 'socks5'].map((protocol) => `${protocol}://${proxyUrl.host}`),
		url: proxyUrl.origin.replace('//', `//${account.username}:${account.proxyAuthkey}@`),
		pageUrl: new URL('/docs/', service).href,
		async stop() {
			if (child.exitCode !== null || child.signalCode !== null) return;
			const ended = once(child, 'exit');
			child.kill('SIGTERM');
			await Promise.race([ended, delay(STOP_LIMIT_MS)]);
			child.kill('SIGKILL');
		},
	};
}

function isFree(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const server = createServer().once('error', () => resolve(false));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
	});
}

function withoutProxy(reason: string): undefined {
	say(`bursar: the proxy of the demo does not run: ${reason}`);
}

/** The address of a listener as this machine reaches it, if it listens on all addresses. */
function loopback(url: string): URL {
	const reached = new URL(url);
	if (reached.hostname === '0.0.0.0') reached.hostname = '127.0.0.1';
	if (reached.hostname === '[::]') reached.hostname = '[::1]';
	return reached;
}

/** Whether the edge listener takes this key. */
function isEdgeKnown(edge: URL, key: string): Promise<boolean> {
	const { method, path } = edgeRoutes.usage;
	const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
	const signal = AbortSignal.timeout(EDGE_ANSWER_LIMIT_MS);
	return fetch(new URL(path, edge), { method, headers, body: '{"counters":[]}', signal }).then(
		({ ok }) => ok,
		() => false,
	);
}

/** The address that the proxy tells; `undefined` if it ends or is too late. */
function readyUrl(child: ChildProcess): Promise<URL | undefined> {
	const told = once(child, 'message').then(([message]) => new URL((message as { readonly url: string }).url));
	const ended = once(child, 'exit').then(() => undefined);
	const late = delay(READY_LIMIT_MS, undefined, { ref: false });
	return Promise.race([told, ended, late]).catch(() => undefined);
}
