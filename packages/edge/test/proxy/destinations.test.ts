import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { type TestContext, test } from 'node:test';
import { openRawClient } from '../support/raw-client.ts';
import { basic, KEY, startOrigin, startTestProxy, type TestProxy } from '../support/running-proxy.ts';

const HEAD = `Host: x\r\nProxy-Authorization: ${basic('alice', KEY)}\r\n`;

async function answerTo(test: TestContext, { port }: TestProxy, request: string): Promise<string> {
	const client = openRawClient(test, port);
	client.write(`${request} HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`);
	const text = await Promise.race([client.until('\r\n\r\n'), client.closed]);
	client.socket.destroy();
	return text.split('\r\n')[0] ?? '';
}

test('every spelling of this machine is refused, and nothing is connected to', async (t) => {
	const port = await startOrigin(t);
	const proxy = await startTestProxy(t, { destinations: { allowPrivate: false } });
	const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
	const hosts = [
		'127.0.0.1',
		'127.1',
		'0x7f.1',
		'0177.0.0.1',
		'2130706433',
		'0.0.0.0',
		'0',
		'localhost',
		'LOCALHOST.',
		'a.localhost',
		'[::1]',
		'[::]',
		'[::ffff:127.0.0.1]',
		'[::ffff:7f00:1]',
		'[0:0:0:0:0:0:0:1]',
		'10.0.0.1',
		'169.254.169.254',
		...own
			.filter(({ scopeid }) => !scopeid)
			.map(({ family, address }) => (family === 'IPv6' ? `[${address}]` : address)),
	];
	for (const host of hosts) {
		assert.match(await answerTo(t, proxy, `GET http://${host}:${port}/`), / 403 /, host);
		// Some spellings are names here, which no name server knows.
		assert.match(await answerTo(t, proxy, `CONNECT ${host}:${port}`), / (403|502) /, host);
	}
});

test('the address that was checked is the one that is connected to', async (t) => {
	const port = await startOrigin(t);
	let lookUps = 0;
	const lookUp = async () => {
		lookUps++;
		return ['127.0.0.1'];
	};
	const destinations = { allowPrivate: false, allowed: [{ address: '127.0.0.1', port }], lookUp };
	const proxy = await startTestProxy(t, { destinations });
	assert.match(await answerTo(t, proxy, `GET http://rebinding.example:${port}/`), / 200 /);
	assert.match(await answerTo(t, proxy, `CONNECT rebinding.example:${port}`), / 200 /);
	assert.equal(lookUps, 2);
	assert.match(await answerTo(t, proxy, `GET http://rebinding.example:${port + 1}/`), / 403 /);
});
