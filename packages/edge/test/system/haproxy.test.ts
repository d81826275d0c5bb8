import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createSecureContext } from 'node:tls';
import { promisify } from 'node:util';
import { createLogger } from '@bursar/terminal/logger';
import { eventually } from '@bursar/testing/eventually';
import { freePort } from '@bursar/testing/free-port';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { startProcess } from '@bursar/testing/test-process';
import { KEY_FILE, pemFile } from '../support/certificates.ts';
import { KEY, startOrigin, startTestProxy } from '../support/running-proxy.ts';

const run = promisify(execFile);
const CONFIGURATION = join(import.meta.dirname, '../../../../docs/edge/haproxy.cfg');
const LIMIT_MS = 60_000;
/** Another address of the loopback device than that of haproxy. */
const CLIENT = '127.0.0.9';

test('behind the documented haproxy, clients have their own addresses, over HTTP, SOCKS5 and TLS', {
	timeout: 2 * LIMIT_MS,
}, async (t) => {
	let log = '';
	const logger = createLogger('info', {
		write(line) {
			log += line;
		},
	});
	const context = createSecureContext({ cert: readFileSync(pemFile('self-signed')), key: readFileSync(KEY_FILE) });
	const proxy = await startTestProxy(t, { logger, certificate: { context }, loadBalancers: ['127.0.0.1'] });
	const haproxy = await startDocumentedHaproxy(t, proxy.port);
	const origin = `http://127.0.0.1:${await startOrigin(t)}/`;
	const ways = [
		['-x', `http://127.0.0.1:${haproxy}`],
		['-x', `http://127.0.0.1:${haproxy}`, '--proxytunnel'],
		['-x', `https://localhost:${haproxy}`, '--proxytunnel', '--proxy-cacert', pemFile('self-signed')],
		['-x', `socks5h://127.0.0.1:${haproxy}`],
	];
	for (const [index, way] of ways.entries()) {
		const answer = await run('curl', [
			'-sS',
			'--noproxy',
			'',
			'--interface',
			CLIENT,
			'-U',
			`alice:${KEY}`,
			...way,
			origin,
		]);
		assert.equal(answer.stdout, 'from the origin', way.join(' '));
		await eventually(
			async () => assert.deepEqual(clientsIn(log, 'connection'), Array(index + 1).fill(CLIENT)),
			LIMIT_MS,
		);
	}
	assert.equal(proxy.service.checks[0]?.client, CLIENT);
	// The health checks of haproxy are no clients.
	assert.deepEqual(clientsIn(log, 'refused'), []);
});

function clientsIn(log: string, kind: string): readonly string[] {
	const lines = log.split('\n').filter((line) => line.includes(`"msg":"${kind}"`));
	return lines.map((line) => JSON.parse(line).client);
}

/** Resolves to its port once it passes connections on. */
async function startDocumentedHaproxy(t: TestContext, proxyPort: number): Promise<number> {
	const port = await freePort();
	const changes = [
		['bind :3128', `bind 127.0.0.1:${port}`],
		['192.0.2.11:3128', `127.0.0.1:${proxyPort}`],
		['192.0.2.12:3128', `127.0.0.1:${proxyPort}`],
	] as const;
	const configuration = changes.reduce(
		(before, [from, to]) => {
			if (!before.includes(from)) throw new Error(`${CONFIGURATION} has no ${from}`);
			return before.replaceAll(from, to);
		},
		readFileSync(CONFIGURATION, 'utf8'),
	);
	const file = join(temporaryFolder(t), 'haproxy.cfg');
	writeFileSync(file, configuration);
	const haproxy = startProcess(t, ['haproxy', '-db', '-f', file]);
	await eventually(
		() =>
			new Promise<void>((resolve, reject) => {
				const socket = connect({ port, host: '127.0.0.1' });
				socket.on('error', reject).on('connect', () => {
					socket.destroy();
					resolve();
				});
			}),
		LIMIT_MS,
		() => haproxy.child.exitCode !== null,
	);
	return port;
}
