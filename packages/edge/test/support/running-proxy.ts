import { createServer } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { createLogger } from '@bursar/terminal/logger';
import { listen } from '@bursar/testing/listen';
import { createEdgeClient, type EdgeClientOptions } from '../../src/agent/edge-client.ts';
import { type ProxyOptions, type RunningProxy, startProxy } from '../../src/proxy/proxy.ts';
import { createUpstreams, type ListedUpstreams } from '../../src/proxy/upstream/exits.ts';
import { readUpstreamList } from '../../src/proxy/upstream/upstream-list.ts';
import { EDGE_KEY, type FakeService, startFakeService } from './fake-service.ts';

export const KEY = 'Abcdefgh12345678';

export interface TestProxy extends RunningProxy {
	readonly service: FakeService;
	readonly port: number;
}

type TestProxyOptions = Partial<ProxyOptions> & Pick<EdgeClientOptions, 'checkTimeoutMs'>;

/** A proxy in this process, with a small service of its own, in which `alice` and `bob.b` have keys. */
export async function startTestProxy(test: TestContext, options: TestProxyOptions = {}): Promise<TestProxy> {
	// Before the hook that ends the service: a proxy that stops tries for seconds to report to a service that is away.
	let stop = async (): Promise<void> => {};
	test.after(() => stop());
	const service = await startFakeService(test);
	service.keys.set('alice', KEY).set('bob.b', 'Bbbbbbbb12345678');
	const client = createEdgeClient({ ...options, url: new URL(service.url), key: () => EDGE_KEY });
	const proxy = await startProxy({
		client,
		logger: createLogger('silent'),
		host: '127.0.0.1',
		port: 0,
		destinations: { allowPrivate: true },
		maxConnections: 1_000,
		maxConnectionsPerClient: 1_000,
		maxConnectionsPerAccount: 1_000,
		logsConnections: true,
		idleMs: 60_000,
		...options,
	});
	stop = async () => {
		await proxy.stop(0);
		client.close();
	};
	return Object.assign(proxy, { service, port: Number(new URL(proxy.url).port) });
}

/** Upstream proxies, as a setting lists them. */
export function upstreamsOf(list: string, passesUnknownOptions = false): ListedUpstreams {
	return createUpstreams({ exits: readUpstreamList(list), passesUnknownOptions });
}

/** The value of `Proxy-Authorization`. */
export function basic(username: string, password: string): string {
	return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** A server behind the proxy that answers everything with `from the origin`. Returns its port. */
export async function startOrigin(test: TestContext): Promise<number> {
	const origin = createServer((_request, response) => response.end('from the origin'));
	return (await listen(test, origin)).port;
}

/** A server behind the proxy that sends back what it receives. Returns its port. */
export async function startEcho(test: TestContext): Promise<number> {
	const echo = createTcpServer({ allowHalfOpen: true }, (socket) => socket.on('error', () => {}).pipe(socket));
	return (await listen(test, echo)).port;
}

/** A server behind the proxy that sends bytes without end. Returns its port. */
export async function startFountain(test: TestContext): Promise<number> {
	const chunk = Buffer.alloc(16_384, 'x');
	const pour = (socket: Socket) => {
		while (socket.writable && socket.write(chunk));
	};
	const fountain = createTcpServer((socket) => {
		socket.on('error', () => {}).on('drain', () => pour(socket));
		pour(socket);
	});
	return (await listen(test, fountain)).port;
}
