import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { eventually } from '@bursar/testing/eventually';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { curlThrough, openTunnel } from '../support/proxy-client.ts';
import { openSquidShop, startRelayOf } from '../support/squid-shop.ts';

test('what curl sends and receives, plain and with CONNECT, is the usage of its account to the byte', async (t) => {
	const { alice, bob, origins, host, relay, assertCounted } = await openSquidShop(t);
	const upload = join(temporaryFolder(t), 'upload');
	writeFileSync(upload, Buffer.alloc(300_000, 'u'));
	const put = ['-T', upload, '-H', 'Expect:', `${origins.url}/`];
	const requests = [
		[`${origins.url}/bytes/100000`],
		[`${origins.url}/chunked/155555`],
		['-0', `${origins.url}/chunked/5000`],
		['-I', `${origins.url}/bytes/9`],
		[`${origins.url}/bytes/1000`, `${origins.url}/bytes/2000`],
		put,
		['-p', `${origins.url}/bytes/100000`],
		['-p', ...put],
		['-p', `${origins.url}/bytes/1000`, `${origins.url}/bytes/2000`],
	];
	for (const args of requests) {
		const { status } = await curlThrough(relay.port, alice, args);
		assert.equal(status, 200, args.join(' '));
	}
	// A plain request that fails has an answer of Squid, which counts.
	assert.equal((await curlThrough(relay.port, alice, [`http://${origins.nowhere}/`])).status, 503);
	await assertCounted('alice', relay);

	const relayOfBob = await startRelayOf(t, host);
	const withOptions = [bob[0].toUpperCase(), `${bob[1]}_country-US_session-7`] as const;
	assert.equal((await curlThrough(relayOfBob.port, withOptions, [`${origins.url}/bytes/3000`])).status, 200);
	assert.equal((await curlThrough(relayOfBob.port, withOptions, ['-p', `${origins.url}/bytes/4000`])).status, 200);
	await assertCounted('bob.42', relayOfBob);
	await assertCounted('alice', relay);
});

test('an origin learns neither the address of a user nor that there is a Squid', async (t) => {
	const { alice, origins, host } = await openSquidShop(t);
	const { status, body } = await curlThrough(host.port, alice, [`${origins.url}/headers`]);
	assert.equal(status, 200);
	assert.ok(body.includes('user-agent'));
	assert.doesNotMatch(body, /via|forwarded|squid|proxy/i);
});

test('no client reaches the ports of mail', async (t) => {
	const { alice, origins, host } = await openSquidShop(t);
	for (const port of [25, 465, 587]) {
		const mail = `${new URL(origins.url).hostname}:${port}`;
		await assert.rejects(openTunnel(t, host.port, alice, mail), /HTTP\/1\.1 403 /);
	}
});

test('the documented exceptions count less than what was transferred, and never more', async (t) => {
	const { alice, origins, relay, usage, assertCounted } = await openSquidShop(t);
	const upload = join(temporaryFolder(t), 'upload');
	writeFileSync(upload, Buffer.alloc(300_000, 'u'));
	await curlThrough(relay.port, alice, [`${origins.url}/bytes/1`]);
	await assertCounted('alice', relay);
	const counted = { ...relay.bytes };
	const missing = async (args: readonly string[]) => {
		const before = await usage('alice');
		await curlThrough(relay.port, alice, args);
		// The request after it shows that the one before has been counted.
		const marker = { ...relay.bytes };
		await curlThrough(relay.port, alice, [`${origins.url}/bytes/1`]);
		const [up, down] = [relay.bytes.up - marker.up, relay.bytes.down - marker.down];
		await eventually(async () => {
			const { up, down } = await usage('alice');
			const isCounted = up - before.up >= marker.up - counted.up - 200 && down > before.down;
			assert.ok(isCounted, 'the request was not counted');
		}, 30_000);
		// Whatever else would be counted has been counted by then.
		await setTimeout(2_000);
		const now = await usage('alice');
		const result = {
			up: marker.up - counted.up - (now.up - before.up - up),
			down: marker.down - counted.down - (now.down - before.down - down),
		};
		Object.assign(counted, relay.bytes);
		return result;
	};

	// Squid's interim answer "100 Continue".
	const interim = await missing(['-T', upload, '-H', 'Expect: 100-continue', `${origins.url}/`]);
	assert.deepEqual(interim, {
		up: 0,
		down: Buffer.byteLength('HTTP/1.1 100 Continue\r\nConnection: keep-alive\r\n\r\n'),
	});
	// Squid's page about a CONNECT that failed.
	const failed = await missing(['-p', `http://${origins.nowhere}/`]);
	assert.equal(failed.up, 0);
	assert.ok(failed.down > 1_000 && failed.down < 20_000, `${failed.down}`);
	// The lengths between the parts of an upload without a length.
	const chunked = await missing(['-T', upload, '-H', 'Transfer-Encoding: chunked', '-H', 'Expect:', `${origins.url}/`]);
	assert.equal(chunked.down, 0);
	assert.ok(chunked.up > 0 && chunked.up < 1_000, `${chunked.up}`);
});

test('an open tunnel is counted while it is open, and once', async (t) => {
	const { alice, origins, relay, assertCounted } = await openSquidShop(t);
	const tunnel = await openTunnel(t, relay.port, alice, origins.raw);
	await tunnel.exchange(50_000, 200_000);
	await assertCounted('alice', relay);
	await tunnel.exchange(1, 1_000_000);
	await assertCounted('alice', relay);
	tunnel.socket.destroy();
	await tunnel.ended;
	assert.equal((await curlThrough(relay.port, alice, [`${origins.url}/bytes/10`])).status, 200);
	await assertCounted('alice', relay);
});
