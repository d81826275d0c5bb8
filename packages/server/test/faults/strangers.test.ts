import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { DASHBOARD_API } from '@bursar/contract/dashboard';
import { type ServerProcess, startServer } from '@bursar/testing/bursar-process';
import { startTestService } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { type ListenerPath, pathsOf } from '../support/listener-routes.ts';
import { requestText } from '../support/raw-socket.ts';

// What the listeners do for those who have not said who they are.

const MEGABYTE = 1 << 20;
const ALL_LISTENERS = { BURSAR_DASHBOARD: '1', BURSAR_EDGE_PORT: '0', BURSAR_PUBLIC_URL: 'http://localhost' };
const TRIED_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY', 'PROPFIND'];

/** The start of a request with a body of 1 MiB. Changes on the dashboard must come from its own pages. */
function unfinished(method: string, path: string, headers: readonly string[] = []): string {
	return requestText(method, path, ['Origin: http://localhost', ...headers, `Content-Length: ${MEGABYTE}`]);
}

function startAll(t: TestContext) {
	return pathsOf(() => startTestService(t, ALL_LISTENERS));
}

test('a wrong method is refused before its body is read, on every path of every listener', async (t) => {
	const { paths } = await startAll(t);
	assert.equal(new Set(paths.map(({ url }) => url)).size, 3);
	for (const { url, path, methods } of paths) {
		// The routes that take every method are those that refuse.
		const isRefusal = methods.has('DELETE');
		for (const method of TRIED_METHODS.filter((name) => isRefusal || !methods.has(name))) {
			const status = await statusOf(url, unfinished(method, path));
			assert.ok(status === 404 || status === 405, `${method} ${path}: ${status}`);
		}
	}
});

test('no path takes more than 16 KiB of a body from somebody unknown, by any method', async (t) => {
	const { paths } = await startAll(t);
	const start = 'x'.repeat(16 * 1024 + 1);
	for (const { url, path } of paths) {
		for (const method of TRIED_METHODS) {
			for (const headers of [[], ['Content-Type: application/json'], ['Content-Type: text/plain']]) {
				const status = await statusOf(url, unfinished(method, path, headers) + start);
				assert.ok(status < 500, `${method} ${path}: ${status}`);
			}
		}
	}
});

/** The status of the answer to the start of a request. */
async function statusOf(url: string, bytes: string): Promise<number> {
	const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('latin1');
	socket.write(bytes);
	const [text] = (await once(socket, 'data', { signal: AbortSignal.timeout(20_000) })) as [string];
	socket.destroy();
	return Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1]);
}

test('800 unfinished bodies of 1 MiB cost less than 200 MB', async (t) => {
	const { started, paths } = await startAll(t);
	await started.stop();
	const server = await startServer(t, temporaryFolder(t), { environment: ALL_LISTENERS });
	const addresses = [server.url, server.opsUrl, server.edgeUrl as string];
	const listeners = [started.url, started.opsUrl, started.edgeUrl as string].map((url) => new URL(url).port);
	const targets = paths.map((target) => ({
		...target,
		url: addresses[listeners.indexOf(new URL(target.url).port)] as string,
	}));
	await sendUnfinished('POST', targets, 50);
	const before = await residentBytes(server);
	const calls = targets.filter(({ path }) => path.startsWith(DASHBOARD_API));
	for (const [method, chosen] of [
		['POST', targets],
		['PUT', calls],
	] as const) {
		const release = await sendUnfinished(method, chosen, 800);
		// What the system holds for the service is read in the meantime.
		let most = 0;
		for (let look = 0; look < 10; look++) {
			await setTimeout(100);
			most = Math.max(most, await residentBytes(server));
		}
		release();
		const grown = most - before;
		t.diagnostic(`${method}: ${Math.round(grown / 1e6)} MB`);
		assert.ok(grown < 200e6, `${method}: ${Math.round(grown / 1e6)} MB`);
	}
});

/** Sends bodies that lack their last byte, spread over the targets. Those of the operator's listener are few. */
async function sendUnfinished(method: string, targets: readonly ListenerPath[], count: number): Promise<() => void> {
	const body = Buffer.alloc(MEGABYTE - 1, 'x');
	const sockets = await Promise.all(
		Array.from({ length: count }, async (_, index) => {
			const { url, path } = targets[index % targets.length] as ListenerPath;
			const socket = connect(Number(new URL(url).port), '127.0.0.1');
			socket.on('error', () => {}).resume();
			socket.write(unfinished(method, path, ['Content-Type: application/json']));
			await new Promise<void>((resolve) => {
				socket.write(body, () => resolve());
				socket.once('close', resolve);
			});
			return socket;
		}),
	);
	return () => {
		for (const socket of sockets) socket.destroy();
	};
}

async function residentBytes({ opsUrl }: ServerProcess): Promise<number> {
	const text = await (await fetch(`${opsUrl}/metrics`)).text();
	return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1] ?? assert.fail(text));
}
