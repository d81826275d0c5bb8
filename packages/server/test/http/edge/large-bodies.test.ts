import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { MAX_EDGE_BODY_BYTES } from '@bursar/contract/edge';
import { edgeApi } from '@bursar/testing/edge';
import { eventually } from '@bursar/testing/eventually';
import { edgeIsKnown, startEdgeService } from '../../support/edge-service.ts';
import { rawConnection } from '../../support/raw-socket.ts';

/** This many of the largest bodies nearly fill the 16 MiB of an edge. */
const HELD = 31;

/** Sends all of a body except its last byte. */
async function almostSend(t: TestContext, edgeUrl: string, key: string) {
	const connection = await rawConnection(t, edgeUrl);
	connection.write(
		`POST /edge/v1/usage HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${MAX_EDGE_BODY_BYTES}\r\n\r\n{"counters":[]`,
	);
	connection.write(' '.repeat(MAX_EDGE_BODY_BYTES - '{"counters":[]}'.length));
	await new Promise<void>((resolve) => {
		const { socket } = connection;
		if (socket.writableLength === 0) resolve();
		else socket.once('drain', resolve);
	});
	return connection;
}

test('large bodies of an edge share a bound; small ones and those of other edges go on; the room comes back', async (t) => {
	const { edge, edgeUrl, key, alice, openEdge } = await startEdgeService(t);
	const second = edgeApi(edgeUrl, await openEdge('gw2'));
	await edgeIsKnown(second);
	const held = await Promise.all(Array.from({ length: HELD }, () => almostSend(t, edgeUrl, key)));
	const large = { counters: [], more: 'x'.repeat(500_000) };
	const first = await almostSend(t, edgeUrl, key);
	await eventually(async () => assert.equal((await edge.usage(large)).errorCode, 'unavailable'), 20_000);
	assert.equal((await edge.check({ username: 'alice', password: alice })).body.ok, true);
	assert.equal((await second.usage(large)).status, 200);
	first.write('}');
	assert.equal((await first.answers(1))[0]?.status, 200);
	await eventually(async () => assert.equal((await edge.usage(large)).status, 200), 20_000);
	assert.equal((await edge.usage({ counters: [], more: 'x'.repeat(100_000) })).status, 200, 'there is room for this');
	for (const { socket } of held) socket.destroy();
	await eventually(async () => {
		const again = await Promise.all(Array.from({ length: 4 }, () => edge.usage(large)));
		assert.ok(again.every(({ status }) => status === 200));
	}, 20_000);
});
