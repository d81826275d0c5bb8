import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientEvent } from '../src/index.ts';
import { serveReseller } from './support/client.ts';

test('a call reports each request, answer and wait to its listener, without secrets', async (t) => {
	const { reliable, unreliable, token } = await serveReseller(t);
	const { subUser } = await reliable.createSubUser('alice');
	const events: ClientEvent[] = [];
	const onEvent = (event: ClientEvent) => void events.push(event);
	const { client } = unreliable({ give_balance: ['never_arrives'] }, { soleWriter: true });
	// Otherwise the call first asks what the service knows.
	await client.myInfo();
	const { requestId } = await client.giveBalance('alice', 250, { onEvent });
	assert.deepEqual(
		events.map((event) => (event.kind === 'wait' ? 'wait' : `${event.kind} ${event.request} ${event.operation}`)),
		[
			'request 1 viewSubUser',
			'answer 1 viewSubUser',
			'request 2 giveBalance',
			'failure 2 giveBalance',
			'request 3 viewSubUser',
			'answer 3 viewSubUser',
			'wait',
			'request 4 viewSubUser',
			'answer 4 viewSubUser',
			'wait',
			'request 5 giveBalance',
			'answer 5 giveBalance',
		],
	);
	const last = events.at(-1);
	assert.ok(last?.kind === 'answer' && last.requestId === requestId && requestId !== undefined);
	const written = JSON.stringify(events);
	assert.ok(!written.includes(token) && !written.includes(subUser.proxyAuthkey));
});

test("the client's listener gets the events of all calls that have no listener of their own", async (t) => {
	const heard: string[] = [];
	const { unreliable } = await serveReseller(t);
	const { client } = unreliable({}, { onEvent: ({ kind }) => void heard.push(kind) });
	await client.myInfo();
	await client.myInfo({ onEvent: () => {} });
	assert.deepEqual(heard, ['request', 'answer']);
});
