import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { type TestContext, test } from 'node:test';
import { createDestinationPolicy, createOwnAddresses, isPublicAddress } from '../../src/proxy/target/destinations.ts';
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

test('only addresses of the public Internet are public', () => {
	for (const address of ['1.1.1.1', '93.184.216.34', '2606:4700:4700::1111', '::ffff:8.8.8.8', '172.32.0.1']) {
		assert.ok(isPublicAddress(address), address);
	}
	for (const address of [
		'0.0.0.0',
		'10.1.2.3',
		'100.64.0.1',
		'127.0.0.1',
		'127.255.255.254',
		'169.254.169.254',
		'172.16.0.1',
		'192.0.0.8',
		'192.168.1.1',
		'198.18.0.1',
		'224.0.0.1',
		'240.0.0.1',
		'255.255.255.255',
		'::',
		'::1',
		'::7f00:1',
		'::127.0.0.1',
		'::ffff:127.0.0.1',
		'::ffff:10.0.0.1',
		'::ffff:0:127.0.0.1',
		'64:ff9b::7f00:1',
		'64:ff9b:1::1',
		'100::1',
		'2001::1',
		'2001:db8::1',
		'2002:7f00:1::',
		'168.63.129.16',
		'::ffff:168.63.129.16',
		'100.100.100.200',
		'192.0.0.192',
		'fc00::1',
		'fd00:ec2::254',
		'fe80::1',
		'fec0::1',
		'ff02::1',
		'4000::1',
		'nonsense',
		'',
	]) {
		assert.ok(!isPublicAddress(address), address);
	}
});

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

test('a name is looked up once, and only its public addresses are used', async () => {
	const names: Record<string, readonly string[]> = {
		'mixed.example': ['10.0.0.1', '192.0.78.1', '::1', '2606:4700::1'],
		'private.example': ['10.0.0.1', '127.0.0.1'],
		'own.example': ['203.0.112.9'],
		'nothing.example': [],
	};
	const asked: string[] = [];
	const policy = createDestinationPolicy({
		allowPrivate: false,
		allowed: [
			{ address: '::ffff:10.0.0.1', port: 8080 },
			{ address: '0:0:0:0:0:0:0:1', port: 8080 },
		],
		ownAddresses: () => new Set(['203.0.112.9']),
		async lookUp(name) {
			asked.push(name);
			return names[name] ?? Promise.reject(new Error('no such name'));
		},
	});
	assert.deepEqual(await policy.resolve('mixed.example', 80), [
		{ address: '192.0.78.1', family: 4 },
		{ address: '2606:4700::1', family: 6 },
	]);
	assert.equal(await policy.resolve('private.example', 80), 'refused');
	assert.equal(await policy.resolve('own.example', 80), 'refused');
	assert.equal(await policy.resolve('nothing.example', 80), 'unresolvable');
	assert.equal(await policy.resolve('unknown.example', 80), 'unresolvable');
	assert.deepEqual(await policy.resolve('private.example', 8080), [{ address: '10.0.0.1', family: 4 }]);
	assert.deepEqual(await policy.resolve('[::1]', 8080), [{ address: '::1', family: 6 }]);
	assert.equal(asked.length, 6);
	assert.equal(policy.mayAskUpstream('private.example', 80), true);
	assert.equal(policy.mayAskUpstream('127.0.0.1', 80), false);
	assert.equal(policy.mayAskUpstream('localhost', 80), false);
});

test('while the addresses of this machine cannot be read, no destination is let through', async () => {
	let nowMs = 0;
	let fault: Error | undefined = new Error('uv_interface_addresses failed');
	const ownAddresses = createOwnAddresses(
		() => {
			if (fault) throw fault;
			return ['203.0.112.9'];
		},
		() => nowMs,
	);
	assert.throws(() => createDestinationPolicy({ allowPrivate: false, ownAddresses }), fault);
	assert.throws(() => createDestinationPolicy({ allowPrivate: false, ownAddresses }), fault);
	fault = undefined;
	const policy = createDestinationPolicy({ allowPrivate: false, ownAddresses });
	assert.equal(await policy.resolve('203.0.112.9', 443), 'refused');
	fault = new Error('uv_interface_addresses failed');
	nowMs += 10_001;
	for (const host of ['203.0.112.9', '203.0.112.9', '1.1.1.1']) {
		await assert.rejects(policy.resolve(host, 443), fault);
		assert.throws(() => policy.mayAskUpstream(host, 443), fault);
	}
	fault = undefined;
	assert.equal(await policy.resolve('203.0.112.9', 443), 'refused');
	assert.deepEqual(await policy.resolve('1.1.1.1', 443), [{ address: '1.1.1.1', family: 4 }]);
});

test('an upstream is asked only for addresses and usual names', () => {
	const policy = createDestinationPolicy({ allowPrivate: false });
	for (const host of ['origin.example', 'ORIGIN.example.', '1.a_b.xn--p1ai', 'x', '1.1.1.1', '[2606:4700::1]']) {
		assert.ok(policy.mayAskUpstream(host, 443), host);
	}
	for (const host of [
		...['127.1', '0x7f.1', '0177.0.0.1', '2130706433', '0', '0x7f000001', '127.0.0.1.', '127.0.0.1..', '1.2.3.0x4'],
		...[
			'',
			'.',
			'a..example',
			'a.example\0',
			'%31%32%37.1',
			'127。0。0。1',
			'１２７.1',
			'a b',
			'a/b',
			'a@b',
			'[::1',
			'::1',
		],
		...[
			'localhost',
			'a.localhost.',
			'localhost.localdomain',
			'ip6-localhost',
			`${'a.'.repeat(200)}example`,
			`${'a'.repeat(64)}.example`,
		],
	]) {
		assert.ok(!policy.mayAskUpstream(host, 443), host);
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
