import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import type { Address } from '@bursar/terminal/network';
import { listen } from '@bursar/testing/listen';
import { dialFrom } from '../../../src/proxy/from/dial-from.ts';
import { readFromList } from '../../../src/proxy/from/from-list.ts';
import { createOutgoingAddresses } from '../../../src/proxy/from/outgoing.ts';

const FOUR: readonly Address[] = [{ address: '127.0.0.1', family: 4 }];

function start(list: string) {
	const outgoing = createOutgoingAddresses({ list: readFromList(list), takesFrom: false });
	const choice = outgoing.choose('alice', new Map());
	assert.ok(choice !== 'invalid_options');
	const targets: Socket[] = [];
	const left: string[] = [];
	return { outgoing, choice, targets, left, leaves: (address: string) => void left.push(address) };
}

test('once its client is gone, no further address is tried, and none counts as failed', async (t) => {
	const { port } = await listen(t, createServer());
	const { choice, targets, outgoing, leaves } = start('127.0.0.10,127.0.0.11');
	const connecting = (target: Socket) => {
		targets.push(target);
		target.destroy();
	};
	const to = { host: 'a.example', port, addresses: [...FOUR, ...FOUR, ...FOUR] };
	await assert.rejects(dialFrom(to, choice, { connecting, leaves }));
	assert.equal(targets.length, 1);
	assert.ok(outgoing.states.every(({ isUp, failures }) => isUp && failures === 0));
});

test('an address that cannot be bound leaves no connection, and the log names the one that was used', async (t) => {
	const { port } = await listen(t, createServer());
	const { choice, targets, outgoing, left, leaves } = start('240.0.0.1,240.0.0.0/24,127.0.0.10');
	const connecting = (target: Socket) => void targets.push(target);
	const socket = await dialFrom({ host: 'a.example', port, addresses: FOUR }, choice, { connecting, leaves });
	t.after(() => socket.destroy());
	assert.equal(socket.localAddress, '127.0.0.10');
	assert.deepEqual(left, ['127.0.0.10']);
	assert.ok(targets.every((target) => target.destroyed === (target !== socket)));
	assert.equal(socket.isPaused(), true);
	assert.ok(outgoing.states.reduce((sum, { failures }) => sum + failures, 0) === targets.length - 1);
});

test('what a destination does is no failure of the outgoing address', async () => {
	const { choice, outgoing, left, leaves } = start('127.0.0.10');
	const to = { host: 'a.example', port: 1, addresses: FOUR };
	await assert.rejects(dialFrom(to, choice, { connecting() {}, leaves }), { code: 'ECONNREFUSED' });
	assert.deepEqual(left, ['127.0.0.10']);
	assert.equal(outgoing.states[0]?.failures, 0);
});
