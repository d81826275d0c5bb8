import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { listen } from '@bursar/testing/listen';
import { createExitReadiness } from '../../../src/proxy/upstream/readiness.ts';

const LIMIT_MS = 60_000;
const AWAY = 'no upstream can be reached';

/** An exit that accepts, and counts for how long. */
async function startExit(test: TestContext) {
	const sockets: Socket[] = [];
	const server = createServer((socket) => void sockets.push(socket.on('error', () => {}).resume()));
	const { port, close } = await listen(test, server);
	return { exit: { host: '127.0.0.1', port }, sockets, server, close };
}

function start(exits: readonly { host: string; port: number }[]) {
	const known = { isUp: true, areAllLeftOut: false, hasAnswered: false };
	const clock = { ms: 0 };
	const state = {
		number: 1,
		address: 'a:1',
		failures: 0,
		get isUp() {
			return known.isUp;
		},
	};
	const problem = createExitReadiness({
		upstreams: {
			states: [state],
			areAllLeftOut: () => known.areAllLeftOut,
			hasAnsweredWithin: () => known.hasAnswered,
		},
		exits,
		nowMs: () => clock.ms,
	});
	return { known, clock, problem };
}

test('a proxy whose exits are all dead says so before a client has tried one, and is ready when one is back', async (t) => {
	const [one, two] = [await startExit(t), await startExit(t)];
	one.close();
	two.close();
	const { clock, problem } = start([one.exit, two.exit]);
	await eventually(async () => assert.equal(problem(), AWAY), LIMIT_MS);
	two.server.listen(two.exit.port, '127.0.0.1');
	clock.ms += 5_000;
	await eventually(async () => assert.equal(problem(), undefined), LIMIT_MS);
	await eventually(async () => assert.ok(two.sockets[0]?.closed), LIMIT_MS);
	assert.equal(two.sockets[0]?.bytesRead, 0, 'nothing is sent');
});

test('it connects to one exit that works, at most every five seconds, and to none while clients get answers', async (t) => {
	const [one, two] = [await startExit(t), await startExit(t)];
	const { known, clock, problem } = start([one.exit, two.exit]);
	await eventually(async () => assert.equal(one.sockets.length, 1), LIMIT_MS);
	assert.equal(problem(), undefined);
	clock.ms += 4_000;
	assert.equal(problem(), undefined);
	known.hasAnswered = true;
	clock.ms += 5_000;
	assert.equal(problem(), undefined);
	known.hasAnswered = false;
	// Asked again and again, it looks once.
	await eventually(async () => {
		assert.equal(problem(), undefined);
		assert.equal(one.sockets.length, 2);
	}, LIMIT_MS);
	assert.equal(two.sockets.length, 0);
});

test('while all exits are left out, that is the reason; after their pauses, they are looked at', async (t) => {
	const one = await startExit(t);
	const { known, clock, problem } = start([one.exit]);
	Object.assign(known, { isUp: false, areAllLeftOut: true, hasAnswered: true });
	assert.equal(problem(), 'every upstream is left out');
	known.areAllLeftOut = false;
	one.close();
	await eventually(async () => {
		clock.ms += 5_000;
		assert.equal(problem(), AWAY);
	}, LIMIT_MS);
});
