import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { createLogger } from '@bursar/terminal/logger';
import { eventually } from '@bursar/testing/eventually';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { createEdgeClient } from '../../src/agent/edge-client.ts';
import { createPairChecker } from '../../src/agent/pair-checker.ts';
import { createConnectionCutter } from '../../src/squid/cutting/connection-cutter.ts';
import { listenForPeerPairs } from '../../src/squid/cutting/peer-pairs.ts';
import { createPeerPairTeller } from '../../src/squid/cutting/tell-peer-pairs.ts';
import type { ActiveRequest } from '../../src/squid/usage/active-requests.ts';
import { EDGE_KEY, startFakeService } from '../support/fake-service.ts';

const logger = createLogger('silent');
const LIMIT_MS = 30_000;

function request(port: number, username: string, begunMs: number): ActiveRequest {
	return {
		peer: `192.0.2.9:${port}`,
		local: '192.0.2.8:3128',
		username,
		begin: (begunMs / 1000).toFixed(3),
		ageMs: 0,
		isAllowed: true,
		requests: 1,
		bytesReadOnConnection: 1,
		headerBytes: 1,
		bytesDown: 1,
	};
}

test('connections of a refused pair are ended, those of others and of the new key go on', async (t) => {
	const service = await startFakeService(t);
	for (const name of ['alice', 'bob']) service.keys.set(name, 'KEY1');
	const client = createEdgeClient({ url: new URL(service.url), key: () => EDGE_KEY });
	t.after(() => client.close());
	const now = Date.now();
	const pairs = new Map([
		['192.0.2.9:1', { username: 'alice', keyId: 'id-of-KEY1' }],
		['192.0.2.9:2', { username: 'alice', keyId: 'id-of-KEY1' }],
		['192.0.2.9:3', { username: 'bob', keyId: 'id-of-KEY1' }],
		['192.0.2.9:4', { username: 'alice', keyId: 'id-of-KEY2' }],
	]);
	const ended: string[] = [];
	const cutter = createConnectionCutter({
		peers: { find: (peer) => pairs.get(peer) },
		checker: createPairChecker({ client }),
		end: async (connections) => void ended.push(...connections.map(({ peer }) => peer)),
		logger,
	});
	const open = [1, 2, 3, 5].map((port) => request(port, port === 3 ? 'bob' : 'alice', now));
	await cutter.cut(open);
	assert.deepEqual(ended, []);
	assert.equal(cutter.stats.unknown, 1);

	await service.goAway();
	await cutter.cut(open);
	assert.deepEqual(ended, [], 'while the service is away, no connection is cut');

	await service.comeBack();
	service.keys.set('alice', 'KEY2');
	// The pairs of open connections are kept here, even if the helpers' news are forgotten.
	pairs.delete('192.0.2.9:2');
	await cutter.cut([...open, request(4, 'alice', now)]);
	assert.deepEqual(ended, ['192.0.2.9:1', '192.0.2.9:2']);
	assert.equal(cutter.stats.cut, 2);
});

test('of a limit of connections the oldest stay, from allowed addresses only, and the others are counted as open', async (t) => {
	const service = await startFakeService(t);
	service.keys.set('alice', 'KEY1').set('bob', 'KEY1').set('carol', 'KEY1');
	service.limits.set('alice', { max_connections: 2 }).set('carol', { allowed_ips: ['198.51.100.1'] });
	const client = createEdgeClient({ url: new URL(service.url), key: () => EDGE_KEY });
	t.after(() => client.close());
	const now = Date.now();
	const users = ['alice', 'alice', 'bob', 'alice', 'carol', 'alice'];
	const ended: string[] = [];
	const cutter = createConnectionCutter({
		peers: { find: (peer) => ({ username: users[Number(peer.split(':')[1])] ?? '', keyId: 'id-of-KEY1' }) },
		checker: createPairChecker({ client }),
		end: async (connections) => void ended.push(...connections.map(({ peer }) => peer)),
		logger,
	});
	const begunMs = [500, 400, 300, 200, 100, 0];
	await cutter.cut(users.map((username, port) => request(port, username, now + (begunMs[port] ?? 0))));
	assert.deepEqual(ended.toSorted(), ['192.0.2.9:0', '192.0.2.9:1', '192.0.2.9:4']);
	assert.deepEqual(cutter.openNow(), new Map([['alice', 2]]));
});

test('helpers tell which pair is used on which connection, again after a restart of the reader', async (t) => {
	const path = join(temporaryFolder(t), 'squid.sock');
	const teller = createPeerPairTeller(path, logger);
	t.after(() => teller.close());
	const pair = { username: 'alice', keyId: 'id' };
	const beganMs = Date.now();
	teller.tell('192.0.2.9:1', pair);
	for (let round = 0; round < 3; round++) {
		const peers = await listenForPeerPairs(path);
		await eventually(async () => assert.deepEqual(peers.find('192.0.2.9:1', beganMs), pair), LIMIT_MS);
		teller.tell(`192.0.2.9:${round + 2}`, pair);
		await eventually(async () => assert.deepEqual(peers.find(`192.0.2.9:${round + 2}`, 0), pair), LIMIT_MS);
		assert.equal(peers.find('192.0.2.9:1', Date.now() + 1), undefined, 'told for an earlier use of the port');
		await assert.rejects(listenForPeerPairs(path), /another process/);
		await peers.close();
	}
});

test('hostile bytes on the socket harm nothing', async (t) => {
	const path = join(temporaryFolder(t), 'squid.sock');
	const peers = await listenForPeerPairs(path);
	t.after(() => peers.close());
	const socket = connect(path);
	t.after(() => socket.destroy());
	socket.write(Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7919) % 256)));
	socket.write('\n192.0.2.9:9 alice\n192.0.2.9:9 alice id 17 more\n192.0.2.9:8 alice id 17\n');
	await eventually(
		async () => assert.deepEqual(peers.find('192.0.2.9:8', 0), { username: 'alice', keyId: 'id' }),
		LIMIT_MS,
	);
	assert.equal(peers.find('192.0.2.9:9', 0), undefined);
});
