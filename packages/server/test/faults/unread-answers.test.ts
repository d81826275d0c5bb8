import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { endpoints } from '@bursar/contract';
import { resellerApi } from '@bursar/testing/api';
import { startServer } from '@bursar/testing/bursar-process';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { readConfig } from '../../src/config.ts';
import { largeReseller } from '../support/large-reseller.ts';
import { requestText } from '../support/raw-socket.ts';

const MIB = 1024 * 1024;
const CONNECTIONS = 20;
const ANSWERS = 2_000;

test('2,000 unread answers of any path cost less than 100 MB, and delay no other client', async (t) => {
	const dataDir = temporaryFolder(t);
	const { token, usernames } = await largeReseller(readConfig({ BURSAR_DATA_DIR: dataDir }), 'acme', 1_000);
	const server = await startServer(t, dataDir, { environment: { BURSAR_DASHBOARD: '1' } });
	const { url } = server;
	const resident = async () => {
		const text = await (await fetch(`${server.opsUrl}/metrics`)).text();
		return Number(/^process_resident_memory_bytes (\d+)/m.exec(text)?.[1]);
	};
	// The server loads the script of the reference page on the first request.
	await (await fetch(`${url}/docs/reference.js`)).arrayBuffer();
	const dashboard = await (await fetch(`${url}/dashboard/`)).text();
	const dashboardScript = / src="([^"]+)"/.exec(dashboard)?.[1] ?? assert.fail('the dashboard loads no script');
	const authorized = [`Authorization: Bearer ${token}`];
	const manyLines = 'abc:de\r\n'.repeat(900).split('\r\n').slice(0, -1);
	const requests = {
		'the script of the reference page, uncompressed': requestText('GET', '/docs/reference.js'),
		'the page of the dashboard': requestText('GET', '/dashboard/'),
		'the script of the dashboard, uncompressed': requestText('GET', dashboardScript),
		'the OpenAPI document': requestText('GET', '/openapi.json'),
		'a path that does not exist': requestText('GET', '/nothing'),
		'the list': requestText('GET', endpoints.viewAllSubUsers.path, authorized),
		'bandwidth usage': requestText(
			'POST',
			endpoints.viewUsage.path,
			authorized,
			JSON.stringify({ username: usernames[0] }),
		),
		'bodies with the maximum number of header lines': requestText('POST', '/nothing', manyLines, 'x'),
		'a create that is refused': requestText('POST', endpoints.createSubUser.path, authorized, '{}'),
	};
	for (const [name, request] of Object.entries(requests)) {
		await t.test(name, async (t) => {
			const beforeBytes = await resident();
			const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => silentConnection(url)));
			for (const socket of sockets) socket.write(request.repeat(ANSWERS / CONNECTIONS));
			let most = 0;
			for (let look = 0; look < 6; look++) {
				await setTimeout(100);
				most = Math.max(most, (await resident()) - beforeBytes);
				assert.equal((await resellerApi(url, token).myInfo()).status, 200);
			}
			t.diagnostic(`${Math.round(most / MIB)} MiB more`);
			assert.ok(most < 100 * MIB, `${most / MIB} MiB more`);
			for (const socket of sockets) socket.destroy();
		});
	}
});

/** A connection that reads nothing. */
async function silentConnection(url: string): Promise<Socket> {
	const { hostname, port } = new URL(url);
	const socket = connect(Number(port), hostname);
	await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
	socket.pause();
	return socket.on('error', () => {});
}
