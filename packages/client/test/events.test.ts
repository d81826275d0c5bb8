import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientEvent } from '../src/index.ts';
import { serveReseller } from './support/client.ts';

test('a call reports each request, answer and wait to its listener, without secrets', async (t) => {
	const { reliable, unreliable, token } = await serveReseller(t);
	const { subUser } = await reliable.subUsers.create('alice');
	const events: ClientEvent[] = [];
	const onEvent = (event: ClientEvent) => void events.push(event);
	const { client } = unreliable({ give_balance: ['never_arrives'] });
	const { requestId } = await client.subUsers.give('alice', 250, { onEvent });
	assert.deepEqual(
		events.map((event) => (event.kind === 'wait' ? 'wait' : `${event.kind} ${event.request} ${event.operation}`)),
		[
			'request 1 giveBalance',
			'failure 1 giveBalance',
			'request 2 viewChange',
			'answer 2 viewChange',
			'wait',
			'request 3 giveBalance',
			'answer 3 giveBalance',
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
	await client.account.retrieve();
	await client.account.retrieve({ onEvent: () => {} });
	assert.deepEqual(heard, ['request', 'answer']);
});
